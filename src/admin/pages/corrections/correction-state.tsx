import type { CorrectionRow } from '#contract/admin/corrections.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#admin/t.ts'

const OUTCOME = { waiting: 'pending', posted: 'success', rejected: 'rejected', withdrawn: 'cancelled' } as const

/** Where a correction stands. */
export function CorrectionState({ row }: { row: CorrectionRow }) {
  return <OutcomePill outcome={OUTCOME[row.state]}>{t(`corrections.${row.state}`)}</OutcomePill>
}
