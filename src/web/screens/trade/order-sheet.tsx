import { BUY } from '#core/orders/order.ts'
import { Sheet } from '#ui/sheet.tsx'
import { DirectionTile } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { OrderFields, type OrderFieldsProps } from '#web/screens/trade/order-fields.tsx'

interface OrderSheetProps {
  fields: OrderFieldsProps
  /** The symbol's display name. */
  title: string
  open: boolean
  onClose: () => void
}

/** The order form on phones, as a sheet that leaves the chart usable. */
export function OrderSheet({ fields, title, open, onClose }: OrderSheetProps) {
  const isBuy = fields.form.direction === BUY
  return (
    <Sheet
      className="order-form"
      modal={false}
      open={open}
      onClose={onClose}
      closeLabel={t('trade.cancel')}
      mark={<DirectionTile direction={isBuy ? 'up' : 'down'} />}
      title={t(isBuy ? 'trade.buy_title' : 'trade.sell_title', { symbol: title })}
      subtitle={t(isBuy ? 'trade.buy_sentence' : 'trade.sell_sentence')}
    >
      <OrderFields {...fields} />
    </Sheet>
  )
}
