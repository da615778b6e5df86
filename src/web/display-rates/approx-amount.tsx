import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'
import { convertedText, rateOf, useDisplayRates } from '#web/display-rates/display-rates.ts'
import { displayCurrency } from '#web/options/options.ts'

interface ApproxAmountProps {
  /** The amount in the base currency, as the server sends it. */
  amount: number
  hidden?: boolean | undefined
  /** Labels an indicative rate with text, where there is room. */
  isLabelled?: boolean | undefined
  /** Shown when there is nothing to convert. */
  otherwise?: ReactNode
  className?: string | undefined
}

/**
 * The approximate value of a balance in the chosen currency. Dollars show nothing, because the balance itself is in
 * dollars.
 */
export function ApproxAmount(props: ApproxAmountProps) {
  const { amount, hidden = false, isLabelled = false, otherwise = null, className } = props
  const currency = displayCurrency.use()
  const isWanted = currency !== 'USD' && !hidden
  const rate = rateOf(useDisplayRates({ wanted: isWanted }), currency)
  if (!isWanted || rate === null) return otherwise
  return (
    <span className={cx('num text-fg-3', className)} title={t(`options.rate_${rate.source}`)}>
      {t(isLabelled && rate.source === 'indicative' ? 'options.approx_indicative' : 'options.approx', {
        amount: convertedText(amount, rate),
      })}
    </span>
  )
}
