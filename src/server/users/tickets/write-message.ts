import { type Result, ok, refuse } from '#core/result.ts'
import { replyDue, reopensUntil } from '#core/tickets/ticket-rules.ts'
import type { UploadRefusal } from '#server/platform/uploads/uploads.ts'
import { storePictures, type TicketParts } from '#server/users/tickets/store-pictures.ts'
import { findEarlier, limitOf, requestText, type UserMessage } from '#server/users/tickets/ticket-request.ts'
import {
  addMessage,
  findTicket,
  lockOpenTickets,
  lockTicket,
  type Ticket,
  updateTicket,
} from '#server/users/tickets/tickets.queries.ts'

type Limit = 'ticket_open_already' | 'too_many_tickets'
type WriteRefusal =
  | Limit
  | UploadRefusal
  | 'not_found'
  | 'ticket_words'
  | 'ticket_closed'
  | 'ticket_conflict'
  | 'too_many_attempts'

/**
 * Adds a message of the user to a ticket. A message opens a closed ticket again. Later than 30 days after the closing,
 * it is refused.
 */
export async function writeMessage(
  parts: TicketParts,
  no: string,
  request: UserMessage,
): Promise<Result<undefined, WriteRefusal>> {
  const { ctx, uploads } = parts
  const { userId, words } = request
  const found = await findTicket(ctx.db, no)
  if (found?.userId !== userId) return refuse('not_found')
  if (words === '') return refuse('ticket_words', { params: { number: 1 } })
  const text = requestText(request, [no])
  const earlier = await findEarlier(ctx, ctx.db, request, text)
  if (!earlier.ok) return earlier
  if (earlier.value !== null) return ok()
  if (isOver(found, ctx.now())) return refuse('ticket_closed')
  const pictures = await storePictures(parts, userId, request.pictures)
  if (!pictures.ok) return pictures
  const written = await ctx.db.transaction().execute(async (tx): Promise<Result<undefined, WriteRefusal>> => {
    const open = await lockOpenTickets(tx, userId)
    const ticket = await lockTicket(tx, no)
    if (ticket === null) return refuse('not_found')
    const meanwhile = await findEarlier(ctx, tx, request, text)
    if (!meanwhile.ok) return meanwhile
    if (meanwhile.value !== null) return ok()
    const now = ctx.now()
    if (isOver(ticket, now)) return refuse('ticket_closed')
    const limit = ticket.state === 'closed' ? limitOf(ticket, open) : null
    if (limit !== null) return limit
    for (const name of pictures.value) await uploads.claim(tx, userId, name)
    await addMessage(tx, ticket, {
      id: ctx.newId(),
      staffId: null,
      words,
      pictures: pictures.value,
      request: { id: request.requestId, fingerprint: Buffer.from(ctx.vault.fingerprint(text)) },
      at: now,
      // If staff have not replied to an earlier message yet, the time by which they should reply stays the same.
      change: { state: 'open', due_ms: ticket.dueAt ?? replyDue(now), closed_ms: null, closed_by: null },
    })
    return ok()
  })
  if (written.ok) ctx.publish({ kind: 'back-office-changed', area: 'tickets' })
  return written
}

/** Closes a ticket of the user. */
export async function closeTicket(
  { ctx }: Pick<TicketParts, 'ctx'>,
  userId: string,
  no: string,
): Promise<Result<undefined, 'not_found' | 'ticket_closed'>> {
  const closed = await ctx.db
    .transaction()
    .execute(async (tx): Promise<Result<undefined, 'not_found' | 'ticket_closed'>> => {
      const ticket = await lockTicket(tx, no)
      if (ticket?.userId !== userId) return refuse('not_found')
      if (ticket.state === 'closed') return refuse('ticket_closed')
      await updateTicket(tx, ticket, { state: 'closed', due_ms: null, closed_ms: ctx.now(), closed_by: 'user' })
      return ok()
    })
  if (closed.ok) ctx.publish({ kind: 'back-office-changed', area: 'tickets' })
  return closed
}

function isOver({ closedAt }: Pick<Ticket, 'closedAt'>, now: number): boolean {
  return closedAt !== null && now > reopensUntil(closedAt)
}
