import type { TransactionOut } from '#contract/transactions.ts'
import { MoneyText } from '#ui/figures.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { Latest, LATEST } from '#web/screens/account-history/latest.tsx'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { OrderHead } from '#web/screens/transaction-history/order-head.tsx'
import { expiryText, netOf, outcomeOf } from '#web/screens/transaction-history/transaction-text.ts'

export function LatestTransactions() {
  const query = useCallQuery('GET /user/transactions', { query: { page: 1, per_page: LATEST } })
  return (
    <Latest
      title={t('account_history.transactions')}
      href="/history/transaction"
      query={query}
      entries={query.data?.data.transactions.map((transaction) => ({
        key: transaction.id,
        line: <TransactionLine transaction={transaction} />,
      }))}
      emptyText={t('account_history.empty_transactions')}
    />
  )
}

function TransactionLine({ transaction }: { transaction: TransactionOut }) {
  const outcome = outcomeOf(transaction.trade_log)
  return (
    <>
      <OrderHead
        transaction={transaction}
        detail={expiryText(transaction)}
        end={
          <>
            <MoneyText amount={netOf(transaction)} plus className="font-semibold" />
            <OutcomePill outcome={outcome}>{t(`transaction_history.${outcome}`)}</OutcomePill>
          </>
        }
      />
      <CheckLink trx={transaction.trx} />
    </>
  )
}
