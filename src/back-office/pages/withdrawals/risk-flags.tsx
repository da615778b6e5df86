import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { t } from '#back-office/i18n/t.ts'

/** The checks of a row in short: all passed, or the first concern. */
export function RiskFlags({ row: { state, concerns } }: { row: WithdrawalRow }) {
  if (state !== 'requested' && concerns.length === 0) return <span className="text-fg-3">–</span>
  const [first, ...others] = concerns
  if (first === undefined) {
    return (
      <span className="flex items-center gap-1.5 whitespace-nowrap text-fg-2">
        <CircleCheck size={15} aria-hidden="true" />
        {t('withdrawals.all_passed')}
      </span>
    )
  }
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap text-warn">
      <TriangleAlert size={15} aria-hidden="true" />
      {t(`withdrawals.concern_${first}`)}
      {others.length > 0 && (
        <span className="text-fg-3">{t('withdrawals.more_concerns', { count: others.length })}</span>
      )}
    </span>
  )
}
