import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'
import { convertedText, rateOf, useDisplayRates } from '#web/options/display-rates.ts'
import { displayCurrency } from '#web/options/options.ts'

interface ApproxAmountProps {
  /** In the base currency, as the wire has it. */
  amount: number
  hidden?: boolean | undefined
  className?: string | undefined
}

/** What a balance is about worth in the currency that was chosen; nothing at all in dollars, which it is shown in anyway. */
export function ApproxAmount({ amount, hidden = false, className }: ApproxAmountProps) {
  const currency = displayCurrency.use()
  const isWanted = currency !== 'USD' && !hidden
  const rate = rateOf(useDisplayRates({ wanted: isWanted }), currency)
  if (!isWanted || rate === null) return null
  return (
    <span className={cx('num text-fg-3', className)} title={t(`options.rate_${rate.source}`)}>
      {t('options.approx', { amount: convertedText(amount, rate) })}
    </span>
  )
}
