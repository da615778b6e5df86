import type { StaffTicketRow } from '#contract/back-office/tickets.ts'
import { OutcomePill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

const OUTCOME = { open: 'pending', waiting_user: 'success', closed: 'cancelled' } as const

/** The state of a ticket as a coloured word. */
export function TicketState({ state }: Pick<StaffTicketRow, 'state'>) {
  return <OutcomePill outcome={OUTCOME[state]}>{t(`tickets.${state}`)}</OutcomePill>
}
