import { calls } from '#contract/calls.ts'
import type { ReceivedFile } from '#contract/files.ts'
import type { TicketOut, TicketRow } from '#contract/tickets.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { reopensUntil } from '#core/tickets/ticket-rules.ts'
import { toIso } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { openTicket } from '#server/users/tickets/open-ticket.ts'
import type { TicketParts } from '#server/users/tickets/store-pictures.ts'
import { findTicket, listMessages, listOwnTickets, type Ticket } from '#server/users/tickets/tickets.queries.ts'
import { closeTicket, writeMessage } from '#server/users/tickets/write-message.ts'

/**
 * Registers the calls of a user's tickets. The reply about a ticket of another user is the same as for a ticket that
 * does not exist.
 */
export function ticketsRoutes(register: Register, parts: TicketParts): void {
  const { ctx } = parts
  const reply = async (userId: string, no: string) => {
    const found = await findOwn(ctx.db, userId, no)
    return found.ok ? answer({ ticket: await toReply(ctx.db, found.value) }) : found
  }

  register(calls.tickets, async ({ user, query }) => {
    const { tickets, total } = await listOwnTickets(ctx.db, user.userId, sliceOf(query))
    return answer({ tickets: tickets.map(toRow) }, metaOf(query, total))
  })
  register(calls.ticket, ({ user, params }) => reply(user.userId, params.no))
  register(calls.openTicket, async ({ user: { userId }, body }) => {
    const { about_kind: aboutKind, about, topic } = body
    const opened = await openTicket(parts, { userId, aboutKind, about, topic, ...messageOf(body) })
    if (!opened.ok) return opened
    const own = await reply(userId, opened.value)
    return own.ok ? own : refuse('about_unknown')
  })
  register(calls.writeToTicket, async ({ user: { userId }, params: { no }, body }) => {
    const written = await writeMessage(parts, no, { userId, ...messageOf(body) })
    return written.ok ? reply(userId, no) : written
  })
  register(calls.closeTicket, async ({ user: { userId }, params: { no } }) => {
    const closed = await closeTicket(parts, userId, no)
    return closed.ok ? reply(userId, no) : closed
  })
}

interface MessageBody {
  readonly words: string
  readonly request_id: string
  readonly picture_1?: ReceivedFile | undefined
  readonly picture_2?: ReceivedFile | undefined
  readonly picture_3?: ReceivedFile | undefined
}

function messageOf({ words, request_id: requestId, ...body }: MessageBody) {
  const pictures = [body.picture_1, body.picture_2, body.picture_3].filter((file) => file !== undefined)
  return { words, requestId, pictures }
}

async function findOwn(db: Db, userId: string, no: string): Promise<Result<Ticket, 'not_found'>> {
  const ticket = await findTicket(db, no)
  return ticket?.userId === userId ? ok(ticket) : refuse('not_found')
}

function toRow(ticket: Ticket): TicketRow {
  return {
    no: ticket.no,
    about_kind: ticket.aboutKind,
    about: ticket.about,
    topic: ticket.topic,
    state: ticket.state,
    opened_at: toIso(ticket.openedAt),
    last_at: toIso(ticket.lastAt),
    reopens_until: ticket.closedAt && toIso(reopensUntil(ticket.closedAt)),
    verdict: ticket.verdict,
  }
}

/** Users see whether staff wrote a message, but not the name of the staff member. */
async function toReply(db: Db, ticket: Ticket): Promise<TicketOut> {
  const messages = await listMessages(db, ticket)
  return {
    ...toRow(ticket),
    messages: messages.map(({ seq, staffName, words, pictures, verdict, at }) => ({
      seq,
      by: staffName === null ? 'user' : 'staff',
      words,
      pictures: pictures.length,
      verdict,
      at: toIso(at),
    })),
  }
}
