import type { TicketRow } from '#contract/tickets.ts'
import type { AboutKind } from '#core/tickets/ticket-rules.ts'
import { t } from '#web/i18n/t.ts'

/** Names the thing of a ticket: "Order FW-0TXWD-7Q4M2-9A3BK". */
export function aboutText(kind: AboutKind, trx: string): string {
  return t(`tickets.about_${kind}`, { reference: trx })
}

/** The pill of each state. */
export const STATE_OUTCOME = {
  open: 'pending',
  waiting_user: 'success',
  closed: 'cancelled',
} as const satisfies Record<TicketRow['state'], string>
