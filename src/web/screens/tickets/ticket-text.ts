import type { TicketRow } from '#contract/tickets.ts'
import type { AboutKind } from '#core/tickets/ticket-rules.ts'
import { t } from '#web/i18n/t.ts'

/** Names the order, payment or account that a ticket is about: "Order FW-0TXWD-7Q4M2-9A3BK". */
export function aboutText(kind: AboutKind, trx: string): string {
  return t(`tickets.about_${kind}`, { reference: trx })
}

/** The pill that shows each state of a ticket. */
export const STATE_OUTCOME = {
  open: 'pending',
  waiting_user: 'success',
  closed: 'cancelled',
} as const satisfies Record<TicketRow['state'], string>
