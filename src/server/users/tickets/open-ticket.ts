import { TRX_BYTES } from '#core/orders/trx.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import {
  type AboutKind,
  MIN_TICKET_WORDS,
  replyDue,
  ticketNumber,
  type TicketTopic,
} from '#core/tickets/ticket-rules.ts'
import type { UploadRefusal } from '#server/platform/uploads/uploads.ts'
import { storePictures, type TicketParts } from '#server/users/tickets/store-pictures.ts'
import { findEarlier, limitOf, requestText, type UserMessage } from '#server/users/tickets/ticket-request.ts'
import { addMessage, insertTicket, lockOpenTickets, ownsThing } from '#server/users/tickets/tickets.queries.ts'

interface TicketRequest extends UserMessage {
  readonly aboutKind: AboutKind
  readonly about: string
  readonly topic: TicketTopic
}

type OpenRefusal =
  | UploadRefusal
  | 'about_unknown'
  | 'ticket_words'
  | 'ticket_open_already'
  | 'too_many_tickets'
  | 'ticket_conflict'
  | 'too_many_attempts'

/**
 * Opens a ticket about an order, deposit or withdrawal of the user, or about the account. Returns the number of the
 * ticket. A repeated request returns the number of the ticket that the first request opened.
 */
export async function openTicket(parts: TicketParts, request: TicketRequest): Promise<Result<string, OpenRefusal>> {
  const { ctx, uploads } = parts
  const { userId, aboutKind, about, topic, words } = request
  if (words.length < MIN_TICKET_WORDS) return refuse('ticket_words', { params: { number: MIN_TICKET_WORDS } })
  const text = requestText(request, [aboutKind, about, topic])
  const earlier = await findEarlier(ctx, ctx.db, request, text)
  if (!earlier.ok) return earlier
  if (earlier.value !== null) return ok(earlier.value)
  if (!(await ownsThing(ctx.db, userId, { kind: aboutKind, trx: about }))) return refuse('about_unknown')
  const pictures = await storePictures(parts, userId, request.pictures)
  if (!pictures.ok) return pictures
  const opened = await ctx.db.transaction().execute(async (tx): Promise<Result<string, OpenRefusal>> => {
    const open = await lockOpenTickets(tx, userId)
    // Two servers can handle the same request at the same time, so it is looked for again under the lock.
    const meanwhile = await findEarlier(ctx, tx, request, text)
    if (!meanwhile.ok) return meanwhile
    if (meanwhile.value !== null) return ok(meanwhile.value)
    const limit = limitOf(request, open)
    if (limit !== null) return limit
    const now = ctx.now()
    const no = ticketNumber(ctx.randomBytes(TRX_BYTES), now)
    const ticket = { userId, id: ctx.newId(), no, aboutKind, about, topic, openedAt: now, dueAt: replyDue(now) }
    await insertTicket(tx, ticket)
    for (const name of pictures.value) await uploads.claim(tx, userId, name)
    await addMessage(
      tx,
      { ...ticket, lastSeq: 0 },
      {
        id: ctx.newId(),
        staffId: null,
        words,
        pictures: pictures.value,
        request: { id: request.requestId, fingerprint: Buffer.from(ctx.vault.fingerprint(text)) },
        at: now,
        change: {},
      },
    )
    return ok(no)
  })
  if (opened.ok) ctx.publish({ kind: 'back-office-changed', area: 'tickets' })
  return opened
}
