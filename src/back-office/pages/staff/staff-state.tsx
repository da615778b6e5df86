import type { StaffRow } from '#contract/back-office/staff.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { active: 'success', invited: 'pending', blocked: 'rejected' } as const

export function StaffState({ state }: Pick<StaffRow, 'state'>) {
  return <OutcomePill outcome={OUTCOME[state]}>{t(`staff.${state}`)}</OutcomePill>
}
