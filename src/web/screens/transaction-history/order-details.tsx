import type { TransactionOut } from '#contract/transactions.ts'
import { Folded } from '#ui/folded.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { WrongLink } from '#web/tickets/wrong-link.tsx'
import { OrderTimes, type TimedPrice } from '#web/receipts/order-times.tsx'

/** The API key that placed an order, and the times and ticks of the order, loaded when the user opens the details. */
export function OrderDetails({ transaction }: { transaction: TransactionOut }) {
  return (
    <>
      {transaction.key_name !== undefined && (
        <p className="mt-1 text-label text-fg-2">{t('keys.via', { name: transaction.key_name })}</p>
      )}
      <Folded summary={t('transaction_history.times')}>
        <Times transaction={transaction} />
      </Folded>
      <WrongLink kind="order" trx={transaction.trx} />
    </>
  )
}

function Times({ transaction: { id, trade_log } }: { transaction: TransactionOut }) {
  const { data, isError, isFetching, refetch } = useCallQuery('GET /user/trade/:id', {
    params: { id },
    query: { account: useAccount() },
  })
  if (isError && data === undefined) {
    return (
      <LoadError
        reason={t('common.load_failed')}
        retryLabel={t('common.try_again')}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  }
  if (data === undefined) return <Skeleton height={120} className="mt-2 w-full" />
  const { trade, ticks } = data.data
  return (
    <OrderTimes
      acceptedMs={Date.parse(trade.opened_at)}
      expiresMs={Date.parse(trade.expires_at)}
      entry={timed(ticks.entry)}
      end={
        trade.result === 0
          ? null
          : {
              exit: ticks.exit && timed(ticks.exit),
              next: ticks.next && timed(ticks.next),
              voidReason: trade.void_reason,
              isSold: trade.result === 5,
            }
      }
      decimals={trade_log.crypto_currency.decimals}
      isDated
      className="mt-1"
    />
  )
}

function timed({ price, time_ms: timeMs }: { price: number; time_ms: number }): TimedPrice {
  return { price, timeMs }
}
