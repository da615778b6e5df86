import type { StaffTicketOut, StaffTicketRow } from '#contract/back-office/tickets.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { isAllowed, isRole, type Role } from '#core/staff/permissions.ts'
import { mayDecide, visibleKinds } from '#core/tickets/ticket-rules.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { addRemark, listStaffNotes, toStaffNotesReply } from '#server/audit/staff-notes.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import { decidableOrder, type EvidenceParts, orderEvidence } from '#server/back-office/tickets/order-evidence.ts'
import { depositEvidence, withdrawalEvidence } from '#server/back-office/tickets/payment-evidence.ts'
import {
  findStaffTicket,
  type ListedTicket,
  listActiveStaff,
  listStaffTickets,
} from '#server/back-office/tickets/tickets.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { answerTicket, decideTicket } from '#server/users/tickets/answer-ticket.ts'
import { moveTicket, takeTicket } from '#server/users/tickets/take-ticket.ts'
import { listMessages } from '#server/users/tickets/tickets.queries.ts'

interface Viewer {
  readonly staffId: string
  readonly role: Role
}

/**
 * Registers the calls for tickets. If the role may not see the subject of a ticket, the reply is the same as for a
 * ticket that does not exist.
 */
export function staffTicketsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  parts: EvidenceParts,
): void {
  const { ctx } = parts
  const see = async (viewer: Viewer, no: string) => findStaffTicket(ctx.db, no, visibleKinds(viewer.role))
  /** Builds the reply to a change: the changed ticket, or the refusal. */
  const after = async <R extends string>(viewer: Viewer, no: string, done: Result<undefined, R>) => {
    if (!done.ok) return done
    const ticket = await see(viewer, no)
    return ticket === null ? refuse('not_found') : ok({ ticket: await toReply(ctx.db, ticket, viewer, ctx.now()) })
  }

  registerList(staffCalls.staffTickets, async ({ filters: { which = 'all', search }, after: from, limit, staff }) => {
    const now = ctx.now()
    const { staffId = '', role = 'content' } = staff ?? {}
    const filters = { which, search, kinds: visibleKinds(role), staffId, now }
    const found = await listStaffTickets(ctx.db, filters, { after: from, limit })
    return found.map((ticket) => ({ row: toRow(ticket, now), cursor: [ticket.lastAt, ticket.id] }))
  })

  register(staffCalls.staffTicket, async ({ params: { no }, staff }) => {
    const ticket = await see(staff, no)
    return ticket === null ? refuse('not_found') : ok(await toReply(ctx.db, ticket, staff, ctx.now()))
  })

  register(staffCalls.staffTicketEvidence, async ({ params: { no }, staff }) => {
    const ticket = await see(staff, no)
    if (ticket === null) return refuse('not_found')
    const { aboutKind, about } = ticket
    if (aboutKind === 'order') return ok({ order: await orderEvidence(parts, about), payment: null })
    if (aboutKind === 'account') return ok({ order: null, payment: null })
    const payment = await (aboutKind === 'deposit' ? depositEvidence(ctx, about) : withdrawalEvidence(ctx, about))
    return ok({ order: null, payment })
  })

  register(staffCalls.staffTakeTicket, async ({ params: { no }, staff, actor }) => {
    const ticket = await see(staff, no)
    if (ticket === null) return refuse('not_found')
    const done = await takeTicket(ctx, { no: ticket.no, staffId: staff.staffId, actor })
    return after(staff, no, done)
  })

  register(staffCalls.staffMoveTicket, async ({ params: { no }, body: { from, to }, staff, actor }) => {
    const ticket = await see(staff, no)
    if (ticket === null) return refuse('not_found')
    if (to !== null && !(await listPeople(ctx.db, ticket)).some(({ id }) => id === to)) return refuse('ticket_blind')
    return after(staff, no, await moveTicket(ctx, { no: ticket.no, from, to, actor }))
  })

  register(staffCalls.staffAnswerTicket, async ({ params: { no }, body, staff, actor }) => {
    const ticket = await see(staff, no)
    if (ticket === null) return refuse('not_found')
    const { words, last, closes, request_id: requestId } = body
    const { staffId } = staff
    const done = await answerTicket(ctx, { no: ticket.no, words, last, closes, requestId, staffId, actor })
    return after(staff, no, done)
  })

  register(staffCalls.staffDecideTicket, async ({ params: { no }, body, staff, actor }) => {
    const ticket = await see(staff, no)
    if (ticket === null) return refuse('not_found')
    if (!mayDecide(staff.role, ticket.aboutKind)) return refuse('not_allowed')
    const { words, last, verdict, request_id: requestId } = body
    const order = ticket.aboutKind === 'order' ? await decidableOrder(parts, ticket.about) : null
    const message = { no: ticket.no, words, last, requestId, staffId: staff.staffId, actor }
    return after(staff, no, await decideTicket(ctx, { ...message, verdict, order }))
  })

  register(staffCalls.staffRemarkTicket, async ({ params: { no }, body: { text }, staff, actor }) => {
    if (text === '') return refuse('remark_needed')
    const ticket = await see(staff, no)
    if (ticket === null) return refuse('not_found')
    const subject = { kind: 'ticket', subject: ticket.no } as const
    await addRemark(ctx, subject, { text, staffId: staff.staffId, actor })
    return ok({ remarks: toStaffNotesReply(await listStaffNotes(ctx.db, subject)) })
  })
}

/** Lists the staff members whose role may see the ticket, so it can be assigned to them. */
async function listPeople(db: Db, { aboutKind }: ListedTicket): Promise<{ id: string; name: string }[]> {
  const staff = await listActiveStaff(db)
  return staff
    .filter(({ role }) => isRole(role) && visibleKinds(role).includes(aboutKind))
    .map(({ id, name }) => ({ id, name }))
}

function toRow(ticket: ListedTicket, now: Instant): StaffTicketRow {
  return {
    no: ticket.no,
    about_kind: ticket.aboutKind,
    about: ticket.about,
    topic: ticket.topic,
    state: ticket.state,
    user_id: ticket.userId,
    username: ticket.username,
    owner: ticket.ownerName,
    opened_at: toIso(ticket.openedAt),
    last_at: toIso(ticket.lastAt),
    due_at: ticket.dueAt && toIso(ticket.dueAt),
    is_overdue: ticket.dueAt !== null && ticket.dueAt < now,
    verdict: ticket.verdict,
  }
}

async function toReply(db: Db, ticket: ListedTicket, { role }: Viewer, now: Instant): Promise<StaffTicketOut> {
  const messages = await listMessages(db, ticket)
  const isClosed = ticket.state === 'closed'
  return {
    ...toRow(ticket, now),
    owner_id: ticket.owner,
    closed_by: ticket.closedBy,
    last: ticket.lastSeq,
    messages: messages.map(({ seq, staffName: who, words, pictures, verdict, at }) => ({
      seq,
      who,
      words,
      pictures: [...pictures],
      verdict,
      at: toIso(at),
    })),
    remarks: toStaffNotesReply(await listStaffNotes(db, { kind: 'ticket', subject: ticket.no })),
    people: await listPeople(db, ticket),
    may_answer: !isClosed && isAllowed(role, 'tickets.answer'),
    may_decide: !isClosed && mayDecide(role, ticket.aboutKind),
  }
}
