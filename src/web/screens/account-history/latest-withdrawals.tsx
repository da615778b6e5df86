import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { Latest, LATEST } from '#web/screens/account-history/latest.tsx'
import { PaymentLine } from '#web/screens/account-history/payment-line.tsx'

export function LatestWithdrawals() {
  const query = useCallQuery('GET /user/withdrawals', { query: { page: 1, per_page: LATEST } })
  return (
    <Latest
      title={t('account_history.withdrawals')}
      href="/history/withdrawal"
      query={query}
      entries={query.data?.data.withdrawals.map(
        ({ trx, method, method_image: image, created_at, amount, status, is_cancelled }) => ({
          key: trx,
          line: (
            <PaymentLine
              method={method}
              image={image}
              createdAt={created_at}
              amount={amount}
              status={status}
              isCancelled={is_cancelled}
            />
          ),
        }),
      )}
      emptyText={t('account_history.empty_withdrawals')}
    />
  )
}
