import CloudOff from 'lucide-react/icons/cloud-off'
import type { Direction } from '#core/orders/order.ts'
import { t } from '#web/i18n/t.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { BuySellBar, ClosedBar } from '#web/screens/trade/buy-sell-bar.tsx'
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

/** The lower edge of the trade screen on phones: results not seen yet, open orders, and Buy and Sell. */
export function PhoneBar({ form, running, sending, onShow, onChoose }: PhoneBarProps) {
  return (
    // The element is only as high as the bar itself. The rows above the bar overflow the element, so that the bar stays
    // in place when a row appears.
    <div className="pointer-events-none sticky bottom-[calc(var(--tab-h)+env(safe-area-inset-bottom))] z-10 mt-auto flex h-[4.3125rem] flex-col justify-end *:pointer-events-auto *:shrink-0">
      <UnseenRow />
      <OpenOrdersBar running={running} onShow={onShow} />
      {form.closed ? (
        <ClosedBar {...form.closed} />
      ) : form.isOffline && sending === null ? (
        <ClosedBar title={t('trade.offline')} detail={t('trade.offline_detail')} opensInMs={null} Icon={CloudOff} />
      ) : (
        <BuySellBar sending={sending} onChoose={onChoose} />
      )}
    </div>
  )
}
