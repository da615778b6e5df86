import type { RecoveryRow } from '#contract/back-office/recoveries.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { asked: 'pending', waiting: 'pending', done: 'success', stopped: 'rejected' } as const

/** The state of a recovery as a coloured word. */
export function RecoveryState({ state }: Pick<RecoveryRow, 'state'>) {
  return <OutcomePill outcome={OUTCOME[state]}>{t(`recoveries.${state}`)}</OutcomePill>
}
