import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { TransactionOut } from '#contract/transactions.ts'
import { ButtonLink } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { CountdownRing } from '#ui/countdown-ring.tsx'
import { formatCountdown, groupedNumber } from '#ui/format.ts'
import { callKey, useCallQuery } from '#web/api/query.tsx'
import { moneyOf, priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { ownMoney, spoken } from '#web/session/own-money.tsx'
import { onResult, serverNow } from '#web/live/live-client.ts'
import { ListStates } from '#web/lists/list-states.tsx'
import { CheckLink } from '#web/screens/transaction-history/check-link.tsx'
import { OrderDetails } from '#web/screens/transaction-history/order-details.tsx'
import { OrderHead } from '#web/screens/transaction-history/order-head.tsx'

/** 2 s: within this time of its expiry an order is in neither list (specification, section 9). */
const UNLISTED_SECONDS = 2
/** Interval of requests while an order is due but not settled. */
const ASK_AGAIN_MS = 2_000

/** Open orders with their time left. An expired order disappears, and the list is reloaded. */
export function PendingTransactions() {
  const query = useCallQuery('GET /user/transactions/pending', { query: { account: useAccount() } })
  const client = useQueryClient()
  const now = useServerSeconds()
  const listed = query.data?.data.transactions
  const open = listed?.filter((order) => Math.abs(secondsLeft(order, now)) > UNLISTED_SECONDS)
  const anyIsDue = listed?.some((order) => secondsLeft(order, now) <= UNLISTED_SECONDS) === true

  const askAnew = useEffectEvent(() => {
    void client.invalidateQueries({ queryKey: callKey('GET /user/transactions/pending') })
    void client.invalidateQueries({ queryKey: callKey('GET /user/transactions') })
  })
  useEffect(() => {
    if (!anyIsDue) return undefined
    const timer = setInterval(() => askAnew(), ASK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [anyIsDue])
  useEffect(() => onResult(() => askAnew()), [])

  return (
    <ListStates
      query={query}
      isEmpty={open?.length === 0}
      emptyText={t('transaction_history.empty_pending')}
      loadingText={t('transaction_history.loading')}
      emptyAction={
        <ButtonLink href="/trade" variant="secondary" size="m">
          {t('transaction_history.to_trade')}
        </ButtonLink>
      }
    >
      <ul className="flex flex-col gap-2">
        {open?.map((order) => (
          <li key={order.id}>
            <PendingCard order={order} seconds={secondsLeft(order, now)} />
          </li>
        ))}
      </ul>
    </ListStates>
  )
}

function PendingCard({ order, seconds }: { order: TransactionOut; seconds: number }) {
  const { price_was, crypto_currency, trade_setting } = order.trade_log
  const isDue = seconds <= 0
  const time = formatCountdown(seconds * 1000)
  return (
    <Card padded={false} className="px-4 py-3">
      <OrderHead
        transaction={order}
        detail={t('transaction_history.entry', {
          price: groupedNumber(priceTextOf(price_was, crypto_currency.decimals)),
        })}
        end={
          <div className="flex items-center gap-2.5">
            <span className="flex flex-col items-end">
              <span dir="ltr" className="num font-semibold">
                {spoken(ownMoney(moneyOf(order.amount)))}
              </span>
              <span className="text-label text-fg-2 tabular-nums">
                {isDue ? t('transaction_history.settling') : t('transaction_history.remaining', { time })}
              </span>
            </span>
            <CountdownRing fraction={isDue ? 1 : seconds / trade_setting.time} size={40} stroke={4} />
          </div>
        }
      />
      <OrderDetails transaction={order} />
      <CheckLink trx={order.trx} hasResult={false} />
    </Card>
  )
}

/**
 * Returns the whole seconds to the expiry by the server's clock. `remainingTime` in the reply is this value, negated.
 */
function secondsLeft(order: TransactionOut, nowSeconds: number): number {
  return Math.ceil(Date.parse(order.expires_at) / 1000 - nowSeconds)
}

function useServerSeconds(): number {
  const [seconds, setSeconds] = useState(() => serverNow() / 1000)
  useEffect(() => {
    const timer = setInterval(() => setSeconds(serverNow() / 1000), 1000)
    return () => clearInterval(timer)
  }, [])
  return seconds
}
