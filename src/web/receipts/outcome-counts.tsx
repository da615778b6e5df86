import { cx } from '#ui/cx.ts'
import { formatCount } from '#ui/format.ts'
import { t } from '#web/i18n/t.ts'

interface OutcomeCountsProps {
  of: { readonly wins: number; readonly losses: number; readonly draws: number; readonly voids: number }
  className: string
}

/** How many orders won, lost, drew and were void. */
export function OutcomeCounts({ of, className }: OutcomeCountsProps) {
  return (
    <dl className={cx('flex flex-wrap gap-x-4 text-label text-fg-2', className)}>
      {(['wins', 'losses', 'draws', 'voids'] as const).map((outcome) => (
        <div key={outcome} className="flex gap-1.5">
          <dt>{t(`fairness.${outcome}`)}</dt>
          <dd className="num font-semibold text-fg">{formatCount(of[outcome])}</dd>
        </div>
      ))}
    </dl>
  )
}
