import type { ReactNode } from 'react'
import type { TransactionOut } from '#contract/transactions.ts'
import { DirectionArrow } from '#ui/triangle.tsx'
import { t } from '#web/i18n/t.ts'
import { lengthText } from '#web/receipts/order-text.ts'
import { marketTypeOf, symbolOf } from '#web/screens/transaction-history/transaction-text.ts'
import { ListedMark } from '#web/symbols/live-figures.tsx'

interface OrderHeadProps {
  transaction: TransactionOut
  /** Content below the title. */
  detail: ReactNode
  /** The amount above the status pill, or the ring. */
  end: ReactNode
}

/** The first row of an order's card: mark, direction, symbol, duration. */
export function OrderHead({ transaction, detail, end }: OrderHeadProps) {
  const log = transaction.trade_log
  const { symbol, color } = log.crypto_currency
  const isBuy = log.high_low === 1
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <ListedMark item={{ symbol, market_type: marketTypeOf(log), color }} />
      <div className="min-w-min flex-1">
        <p className="flex flex-wrap items-center gap-x-1.5 font-semibold">
          <DirectionArrow direction={isBuy ? 'up' : 'down'} size={16} />
          {t(isBuy ? 'transaction_history.buy' : 'transaction_history.sell')}
          <span dir="ltr">{symbolOf(log)}</span>
          <span className="font-normal text-fg-3">{lengthText(log.trade_setting.time)}</span>
        </p>
        <p className="text-label text-fg-3 tabular-nums">{detail}</p>
      </div>
      <div className="ms-auto flex shrink-0 flex-col items-end gap-1">{end}</div>
    </div>
  )
}
