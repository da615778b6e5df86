import { useState } from 'react'
import { withData } from '#web/api/query.tsx'
import { t } from '#web/i18n/t.ts'
import { useOwnTrades } from '#web/live/use-own-trades.ts'
import { useGo } from '#web/session/navigation.ts'
import { OpenOrdersBar } from '#web/shell/open-orders-bar.tsx'

/**
 * 15 s: the socket announces accepted and settled orders. Only this polling shows that an order waits for the public
 * history of its source.
 */
const POLL_MS = 15_000

export const OrdersRail = withData(Rail)

/** The open orders at the lower edge of main screens. A press leads to the order that settles next. */
function Rail() {
  const { running } = useOwnTrades(POLL_MS)
  const go = useGo()
  const [hadOrders, setHadOrders] = useState(false)
  if (running.length > 0 && !hadOrders) setHadOrders(true)
  // The empty space stays when the last order ends, so that a page that is scrolled to its end does not move.
  if (running.length === 0) return hadOrders ? <div className="h-15 shrink-0" /> : null
  return (
    <section
      aria-label={t('trade.open_orders')}
      className="sticky bottom-[calc(var(--tab-h)+env(safe-area-inset-bottom))] z-10 md:bottom-0"
    >
      <OpenOrdersBar running={running} onShow={({ symbol, trx }) => go(`/trade/${symbol}?order=${trx}`)} />
    </section>
  )
}
