import CloudOff from 'lucide-react/icons/cloud-off'
import { useState } from 'react'
import type { Direction } from '#core/orders/order.ts'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { useUnseenResults } from '#web/live/unseen-results.ts'
import { BuySellBar, ClosedBar } from '#web/screens/trade/buy-sell-bar.tsx'
import { placeRows, type RowPlaces } from '#web/screens/trade/row-places.ts'
import { UnseenRow } from '#web/screens/trade/unseen-row.tsx'
import type { OrderFormHandle } from '#web/screens/trade/use-order-form.ts'
import { OpenOrdersBar } from '#web/shell/open-orders-bar.tsx'

interface PhoneBarProps {
  form: OrderFormHandle
  running: readonly PlacedOrder[]
  /** The direction of the order that is being sent; null while no order is being sent. */
  sending: Direction | null
  onShow: (order: PlacedOrder) => void
  onChoose: (direction: Direction) => void
}

type Row = 'running' | 'unseen'

/** The height below the page's content that no row, one row or two rows need. */
const ROOM = ['', 'h-15', 'h-30']

/** The lower edge of the trade screen on phones: results not seen yet, open orders, and Buy and Sell. */
export function PhoneBar({ form, running, sending, onShow, onChoose }: PhoneBarProps) {
  const hasUnseen = useUnseenResults().length > 0
  const [before, setPlaces] = useState<RowPlaces<Row>>([])
  const places = placeRows(before, [
    ...(running.length > 0 ? (['running'] as const) : []),
    ...(hasUnseen ? (['unseen'] as const) : []),
  ])
  if (places !== before) setPlaces(places)
  const highest = places.findLastIndex((row) => row !== null)
  const rows = places.slice(0, highest + 1).toReversed()
  return (
    <>
      <div className={cx('shrink-0', ROOM[places.length])} />
      {/* The element is only as high as the bar itself. The rows above the bar overflow the element, so that the bar
        stays in place when a row appears. */}
      <div className="pointer-events-none sticky bottom-[calc(var(--tab-h)+env(safe-area-inset-bottom))] z-10 mt-auto flex h-[4.3125rem] flex-col justify-end *:pointer-events-auto *:shrink-0">
        {rows.map((row) =>
          row === 'running' ? (
            <OpenOrdersBar key={row} running={running} onShow={onShow} />
          ) : row === 'unseen' ? (
            <UnseenRow key={row} />
          ) : (
            <div key="free" className="min-h-15 border-t border-line bg-surface" />
          ),
        )}
        {form.closed ? (
          <ClosedBar {...form.closed} />
        ) : form.isOffline && sending === null ? (
          <ClosedBar title={t('trade.offline')} detail={t('trade.offline_detail')} opensInMs={null} Icon={CloudOff} />
        ) : (
          <BuySellBar sending={sending} onChoose={onChoose} />
        )}
      </div>
    </>
  )
}
