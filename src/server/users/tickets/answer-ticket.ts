import { type Result, ok, refuse } from '#core/result.ts'
import { type DecidableOrder, fitsFacts, type Verdict } from '#core/tickets/ticket-rules.ts'
import { lockApprovals } from '#server/audit/check-dual-approval.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import { findAnswer, keepAnswer } from '#server/audit/staff-requests.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { addMessage, lockTicket, type Ticket, type TicketChange } from '#server/users/tickets/tickets.queries.ts'

/**
 * A message of a staff member. `last` is the number of the newest message in the ticket that this staff member has
 * read.
 */
interface StaffMessage {
  readonly no: string
  readonly words: string
  readonly last: number
  readonly requestId: string
  readonly staffId: string
  readonly actor: Actor
}

type MessageRefusal = 'not_found' | 'ticket_over' | 'words_needed' | 'content_changed' | 'request_conflict'

/**
 * Sends a reply to the user, and closes the ticket if `closes` is true. A ticket that is not about the account needs a
 * verdict before it is closed.
 */
export function answerTicket(
  ctx: Ctx,
  { closes, ...message }: StaffMessage & { readonly closes: boolean },
): Promise<Result<undefined, MessageRefusal | 'verdict_needed'>> {
  return send<'verdict_needed'>(ctx, { ...message, content: { closes } }, (ticket) => {
    if (closes && ticket.aboutKind !== 'account' && ticket.verdict === null) return refuse('verdict_needed')
    if (!closes) return ok({ change: WAITING })
    return ok({ change: { state: 'closed', due_ms: null, closed_ms: ctx.now(), closed_by: 'staff' } })
  })
}

/**
 * Sends a verdict with its reason to the user. `order` has the facts about the order of the ticket, and is null for
 * tickets about other subjects. A verdict changes no result and moves no money.
 */
export function decideTicket(
  ctx: Ctx,
  { verdict, order, ...message }: StaffMessage & { readonly verdict: Verdict; readonly order: DecidableOrder | null },
): Promise<Result<undefined, MessageRefusal | 'verdict_unfit'>> {
  return send<'verdict_unfit'>(ctx, { ...message, content: { verdict } }, () => {
    if (!fitsFacts(verdict, order)) return refuse('verdict_unfit', { params: { verdict } })
    return ok({ change: { ...WAITING, verdict }, verdict })
  })
}

const WAITING = { state: 'waiting_user', due_ms: null } as const satisfies TicketChange

interface Sent {
  readonly change: TicketChange
  readonly verdict?: Verdict
}

type Sending = StaffMessage & { readonly content: Readonly<Record<string, unknown>> }

async function send<R extends string>(
  ctx: Ctx,
  message: Sending,
  decide: (ticket: Ticket) => Result<Sent, R>,
): Promise<Result<undefined, R | MessageRefusal>> {
  const { no, words, last, requestId, staffId, actor, content } = message
  if (words === '') return refuse('words_needed')
  const request = { staffId, requestId, contentHash: contentHash({ no, words, last, ...content }) }
  return ctx.db.transaction().execute(async (tx): Promise<Result<undefined, R | MessageRefusal>> => {
    await lockApprovals(tx)
    const ticket = await lockTicket(tx, no)
    if (ticket === null) return refuse('not_found')
    const answered = await findAnswer(tx, request)
    if (!answered.ok) return answered
    if (answered.value !== null) return noteRepeated(ctx, tx, message)
    if (ticket.state === 'closed') return refuse('ticket_over')
    if (ticket.lastSeq !== last) return refuse('content_changed')
    const decided = decide(ticket)
    if (!decided.ok) return decided
    const { change: decidedChange, verdict = null } = decided.value
    await addMessage(tx, ticket, {
      id: ctx.newId(),
      staffId,
      words,
      verdict,
      at: ctx.now(),
      // A staff member who answers an unassigned ticket becomes its assignee.
      change: { ...decidedChange, owner: ticket.owner ?? staffId },
    })
    const before = { state: ticket.state, verdict: ticket.verdict }
    const after = { state: decidedChange.state, verdict: verdict ?? ticket.verdict, message: ticket.lastSeq + 1, words }
    await recordAction(tx, ctx, actor, { target: no, outcome: 'done', before, after })
    await keepAnswer(ctx, tx, request, no)
    return ok()
  })
}

async function noteRepeated(ctx: Ctx, tx: Tx, { no, actor }: Sending): Promise<Result<undefined, never>> {
  await recordAction(tx, ctx, actor, { target: no, outcome: 'looked', reason: 'repeated' })
  return ok()
}
