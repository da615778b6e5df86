import { trxFrom } from '#core/orders/trx.ts'
import { isAllowed, type Permission, type Role } from '#core/staff/permissions.ts'
import { DAY_MS, type Instant, later } from '#core/time/instant.ts'

/** The kinds of subjects that a ticket can have. The subject of a ticket never changes. */
export const ABOUT_KINDS = ['order', 'deposit', 'withdrawal', 'account'] as const
export type AboutKind = (typeof ABOUT_KINDS)[number]

export const TICKET_STATES = ['open', 'waiting_user', 'closed'] as const
export type TicketState = (typeof TICKET_STATES)[number]

/** The topics of tickets, by the kind of their subject. */
export const TICKET_TOPICS = {
  order: ['result', 'price', 'late', 'else'],
  deposit: ['missing', 'amount', 'late', 'else'],
  withdrawal: ['missing', 'amount', 'late', 'else'],
  account: ['access', 'details', 'balance', 'else'],
} as const satisfies Readonly<Record<AboutKind, readonly string[]>>
export type TicketTopic = (typeof TICKET_TOPICS)[AboutKind][number]
export const ALL_TICKET_TOPICS = [...new Set(Object.values(TICKET_TOPICS).flat())]

/** Whether a ticket about a subject of this kind can have this topic. */
export function hasTopic(kind: AboutKind, topic: TicketTopic): boolean {
  const topics: readonly TicketTopic[] = TICKET_TOPICS[kind]
  return topics.includes(topic)
}

/** The decisions of staff about tickets. A verdict changes no result and moves no money. */
export const VERDICTS = ['correct', 'mistake', 'void'] as const
export type Verdict = (typeof VERDICTS)[number]

/** 20 characters: staff could not answer a shorter message without asking back. */
export const MIN_TICKET_WORDS = 20
export const MAX_TICKET_WORDS = 2_000
export const MAX_TICKET_PICTURES = 3
export const MAX_OPEN_TICKETS = 5

/** 24 h: after this time, a user's message without a reply is overdue. */
const REPLY_WITHIN_MS = DAY_MS
/** 14 days: a ticket that has waited for its user for this long is closed. */
export const SILENCE_MS = 14 * DAY_MS
const REOPEN_WITHIN_MS = 30 * DAY_MS

/** The public number of a ticket, `T-0TXWD-7Q4M2-9A3BK`. It cannot be guessed. */
export function ticketNumber(bytes: Uint8Array, at: Instant): string {
  return trxFrom(bytes, at).replace('FW-', 'T-')
}

/** Until when staff should reply to a message of the user. */
export function replyDue(writtenAt: Instant): Instant {
  return later(writtenAt, REPLY_WITHIN_MS)
}

/** Until when a message of the user opens a closed ticket again: 30 days after it was closed. */
export function reopensUntil(closedAt: Instant): Instant {
  return later(closedAt, REOPEN_WITHIN_MS)
}

const SEE_ABOUT: Readonly<Record<AboutKind, Permission>> = {
  order: 'orders.see',
  deposit: 'deposits.see',
  withdrawal: 'withdrawals.see',
  account: 'users.see',
}

/** The kinds of subjects whose tickets a role sees. A role that may not see a subject does not see tickets about it. */
export function visibleKinds(role: Role): AboutKind[] {
  return isAllowed(role, 'tickets.see') ? ABOUT_KINDS.filter((kind) => isAllowed(role, SEE_ABOUT[kind])) : []
}

/** The roles that can give a verdict: `order` about orders, `money` about all other subjects. */
const DECIDES: Readonly<Record<'order' | 'money', readonly Role[]>> = {
  order: ['owner', 'markets'],
  money: ['owner', 'finance'],
}

/** Whether a role may give a verdict on a ticket about a subject of this kind. */
export function mayDecide(role: Role, kind: AboutKind): boolean {
  return isAllowed(role, 'tickets.verdict') && DECIDES[kind === 'order' ? 'order' : 'money'].includes(role)
}

/**
 * The results of checking an order again. `later`: there is no signed result yet. `gone`: the log no longer has the
 * prices.
 */
export const CHECK_OUTCOMES = ['matches', 'differs', 'later', 'gone'] as const

/** The facts of an order that a verdict depends on. */
export interface DecidableOrder {
  readonly isVoid: boolean
  readonly check: (typeof CHECK_OUTCOMES)[number]
}

/**
 * Whether the facts allow a verdict. `void` needs a void order whose check found no difference. `correct` needs an
 * order whose check outcome is `matches` or `gone`, or a ticket without an order. `mistake` is always allowed.
 */
export function fitsFacts(verdict: Verdict, order: DecidableOrder | null): boolean {
  if (verdict === 'mistake') return true
  if (verdict === 'void') return order?.isVoid === true && order.check !== 'differs'
  return order === null || order.check === 'matches' || order.check === 'gone'
}
