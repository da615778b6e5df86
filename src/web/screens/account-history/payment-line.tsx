import { MoneyText } from '#ui/figures.tsx'
import { GatewayMark } from '#ui/gateway-mark.tsx'
import { OutcomePill } from '#ui/pill.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'
import { whenText } from '#web/screens/transaction-history/transaction-text.ts'

const STATUS = { 1: 'success', 2: 'pending', 3: 'rejected' } as const

interface PaymentLineProps {
  method: string
  /** The picture of the gateway or method; empty for none. */
  image: string
  createdAt: string
  amount: number
  status: 1 | 2 | 3
  /** Whether the user cancelled the payment. If so, the line shows no rejection. */
  isCancelled?: boolean
}

/**
 * A deposit or withdrawal on one line: method and time, amount above status, below the method if there is no room
 * beside it.
 */
export function PaymentLine({ method, image, createdAt, amount, status, isCancelled = false }: PaymentLineProps) {
  const outcome = isCancelled ? 'cancelled' : STATUS[status]
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <GatewayMark name={method} image={image} size={36} />
      <div className="min-w-32 flex-1">
        <p className="font-semibold wrap-anywhere">{method}</p>
        <p className="num text-label text-fg-3">{whenText(createdAt)}</p>
      </div>
      <div className="ms-auto flex flex-col items-end gap-1">
        <MoneyText amount={moneyOf(amount)} className="font-semibold" />
        <OutcomePill outcome={outcome}>{t(`account_history.${outcome}`)}</OutcomePill>
      </div>
    </div>
  )
}
