import type { ChangeRow } from '#contract/back-office/changes.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = {
  asked: 'pending',
  waiting: 'pending',
  in_force: 'success',
  cancelled: 'rejected',
  failed: 'rejected',
} as const

/** The state of a change as a coloured word. */
export function ChangeState({ state }: Pick<ChangeRow, 'state'>) {
  return <OutcomePill outcome={OUTCOME[state]}>{t(`waiting.${state}`)}</OutcomePill>
}
