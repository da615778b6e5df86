import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { Latest, LATEST } from '#web/screens/account-history/latest.tsx'
import { PaymentLine } from '#web/screens/account-history/payment-line.tsx'

export function LatestDeposits() {
  const query = useCallQuery('GET /user/deposits', { query: { page: 1, per_page: LATEST } })
  return (
    <Latest
      title={t('account_history.deposits')}
      href="/history/deposit"
      query={query}
      entries={query.data?.data.deposits.map(({ trx, method, method_image: image, created_at, credited, status }) => ({
        key: trx,
        line: <PaymentLine method={method} image={image} createdAt={created_at} amount={credited} status={status} />,
      }))}
      emptyText={t('account_history.empty_deposits')}
    />
  )
}
