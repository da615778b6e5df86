/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing has no tag of its own for this role */
import type { FiguresOut } from '#contract/figures.ts'
import { rateSentences } from '#core/figures/hit-rate.ts'
import { Card } from '#ui/card.tsx'
import { formatRate } from '#ui/format.ts'
import { SumRow } from '#ui/sum-row.tsx'
import { t } from '#web/i18n/t.ts'
import { OutcomeCounts } from '#web/receipts/outcome-counts.tsx'

/** The hit rate beside the break-even rate of these orders, with the range in which the hit rate can lie by chance. */
export function RateCard({ figures }: { figures: FiguresOut }) {
  const { hit_rate: rate, hit_low: low, hit_high: high, break_even: breakEven, wins, losses, net } = figures
  const isKnown = rate !== null && low !== null && high !== null && breakEven !== null
  return (
    <Card>
      <h2 className="mb-2 font-semibold">{t('figures.rates')}</h2>
      {isKnown && (
        <>
          <RateScale rate={rate} low={low} high={high} breakEven={breakEven} />
          <dl className="mt-2 flex flex-col gap-2">
            <SumRow label={t('figures.hit')}>{formatRate(rate)}</SumRow>
            <SumRow label={t('fairness.break_even')}>{formatRate(breakEven)}</SumRow>
            <SumRow label={t('figures.range')}>
              <span dir="ltr">
                {formatRate(low)} – {formatRate(high)}
              </span>
            </SumRow>
            {figures.hit_by_stake !== null && (
              <SumRow label={t('figures.by_stake')}>{formatRate(figures.hit_by_stake)}</SumRow>
            )}
          </dl>
        </>
      )}
      <OutcomeCounts of={figures} className="mt-2" />
      {rateSentences(isKnown ? { rate, low, high, breakEven } : NO_RATE, { decided: wins + losses, net }).map(
        (name) => (
          <p key={name} className="mt-2 text-small">
            {t(`figures.sentence_${name}`, { low: (low ?? 0).toFixed(1), high: (high ?? 0).toFixed(1) })}
          </p>
        ),
      )}
    </Card>
  )
}

/** Placeholder rates for the case that no order was decided. `rateSentences` ignores the rates of too few orders. */
const NO_RATE = { rate: 0, low: 0, high: 0, breakEven: 0 }

interface RateScaleProps {
  rate: number
  low: number
  high: number
  breakEven: number
}

/**
 * Two marks on one scale from 0 to 100 %. The bar is the 95 % range of the hit rate. Never mirrored in right-to-left
 * pages.
 */
function RateScale({ rate, low, high, breakEven }: RateScaleProps) {
  const label = t('figures.rates_text', {
    hit: formatRate(rate),
    even: formatRate(breakEven),
    low: formatRate(low),
    high: formatRate(high),
  })
  return (
    <svg viewBox="0 0 100 12" preserveAspectRatio="none" role="img" aria-label={label} className="h-6 w-full">
      <rect y="5" width="100" height="2" fill="var(--surface-3)" />
      <rect x={low} y="3" width={Math.max(0.4, high - low)} height="6" fill="var(--line-strong)" />
      <rect x={Math.min(99.2, rate)} width="0.8" height="12" fill="var(--text)" />
      <rect x={Math.min(99.2, breakEven)} width="0.8" height="12" fill="var(--flame)" />
    </svg>
  )
}
