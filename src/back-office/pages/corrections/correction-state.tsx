import type { CorrectionRow } from '#contract/back-office/corrections.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = {
  waiting: 'pending',
  announced: 'pending',
  disputed: 'pending',
  posted: 'success',
  rejected: 'rejected',
  withdrawn: 'cancelled',
} as const

/** The state of an adjustment. */
export function CorrectionState({ row }: { row: CorrectionRow }) {
  return <OutcomePill outcome={OUTCOME[row.state]}>{t(`corrections.${row.state}`)}</OutcomePill>
}
