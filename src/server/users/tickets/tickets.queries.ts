import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { AboutKind, TicketState, TicketTopic, Verdict } from '#core/tickets/ticket-rules.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface Ticket {
  readonly userId: string
  readonly id: string
  readonly no: string
  readonly aboutKind: AboutKind
  /** The reference of the order, deposit or withdrawal. Empty for a ticket about the account. */
  readonly about: string
  readonly topic: TicketTopic
  readonly state: TicketState
  /** The id of the staff member whom the ticket is assigned to. Null when it is unassigned. */
  readonly owner: string | null
  readonly openedAt: Instant
  /** The time of the newest message. */
  readonly lastAt: Instant
  /** The number of the newest message: the messages of a ticket are numbered from 1. */
  readonly lastSeq: number
  readonly dueAt: Instant | null
  readonly closedAt: Instant | null
  readonly closedBy: 'user' | 'staff' | 'silence' | null
  readonly verdict: Verdict | null
}

export interface TicketMessage {
  readonly seq: number
  /** The name of the staff member who wrote the message. Null when the user wrote it. */
  readonly staffName: string | null
  readonly words: string
  readonly pictures: readonly string[]
  readonly verdict: Verdict | null
  readonly at: Instant
}

/** Lists the tickets of a user. The ticket with the newest message comes first. */
export async function listOwnTickets(
  db: Db,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly tickets: readonly Ticket[]; readonly total: number }> {
  const own = db.selectFrom('ticket').where('user_id', '=', userId)
  const rows = await own
    .selectAll()
    .orderBy('last_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const { total } = await own.select((of) => of.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow()
  return { tickets: rows.map(toTicket), total: Number(total) }
}

export async function findTicket(db: Db | Tx, no: string): Promise<Ticket | null> {
  const row = await db.selectFrom('ticket').selectAll().where('no', '=', no).executeTakeFirst()
  return row ? toTicket(row) : null
}

/** Finds and locks a ticket, so that of two concurrent changes the second one sees the result of the first. */
export async function lockTicket(tx: Tx, no: string): Promise<Ticket | null> {
  const row = await tx.selectFrom('ticket').selectAll().where('no', '=', no).forUpdate().executeTakeFirst()
  return row ? toTicket(row) : null
}

/** The messages of a ticket, oldest first. */
export async function listMessages(
  db: Db | Tx,
  { userId, id }: Pick<Ticket, 'userId' | 'id'>,
): Promise<TicketMessage[]> {
  const rows = await db
    .selectFrom('ticket_message as m')
    .leftJoin('staff as s', 's.id', 'm.staff_id')
    .select(['m.seq', 's.name', 'm.words', 'm.pictures', 'm.verdict', 'm.at_ms'])
    .where('m.user_id', '=', userId)
    .where('m.ticket_id', '=', id)
    .orderBy('m.seq')
    .execute()
  return rows.map(({ name, at_ms: at, ...row }) => ({ ...row, staffName: name, at: instant(at) }))
}

export type OpenTicket = Pick<Ticket, 'no' | 'aboutKind' | 'about'>

/**
 * Returns the tickets of a user that are not closed. A lock on the user lets no other transaction open a ticket for
 * this user before this transaction ends.
 */
export async function lockOpenTickets(tx: Tx, userId: string): Promise<readonly OpenTicket[]> {
  await sql`select from app_user where id = ${userId}::uuid for no key update`.execute(tx)
  const rows = await tx
    .selectFrom('ticket')
    .select(['no', 'about_kind', 'about'])
    .where('user_id', '=', userId)
    .where('state', '<>', 'closed')
    .execute()
  return rows.map(({ no, about_kind: aboutKind, about }) => ({ no, aboutKind, about }))
}

/** Returns whether an order, deposit or withdrawal exists and belongs to the user. */
export async function ownsThing(
  db: Db | Tx,
  userId: string,
  { kind, trx }: { readonly kind: AboutKind; readonly trx: string },
): Promise<boolean> {
  if (kind === 'account') return trx === ''
  const own = sql`where trx = ${trx} and user_id = ${userId}::uuid`
  const things = {
    order: sql`select 1 from open_order ${own} union all select 1 from order_history ${own}`,
    deposit: sql`select 1 from deposit ${own}`,
    withdrawal: sql`select 1 from withdrawal ${own}`,
  }
  const { rows } = await things[kind].execute(db)
  return rows.length > 0
}

/** Finds the message that a request of the user stored. */
export async function findByRequest(
  db: Db | Tx,
  userId: string,
  requestId: string,
): Promise<{ readonly no: string; readonly fingerprint: Uint8Array } | null> {
  const row = await db
    .selectFrom('ticket_message as m')
    .innerJoin('ticket as t', (join) => join.onRef('t.user_id', '=', 'm.user_id').onRef('t.id', '=', 'm.ticket_id'))
    .select(['t.no', 'm.fingerprint'])
    .where('m.user_id', '=', userId)
    .where('m.request_id', '=', requestId)
    .executeTakeFirst()
  return row?.fingerprint ? { no: row.no, fingerprint: row.fingerprint } : null
}

type NewTicket = Pick<Ticket, 'userId' | 'id' | 'no' | 'aboutKind' | 'about' | 'topic' | 'openedAt'> & {
  readonly dueAt: Instant
}

export async function insertTicket(tx: Tx, ticket: NewTicket): Promise<void> {
  await tx
    .insertInto('ticket')
    .values({
      user_id: ticket.userId,
      id: ticket.id,
      no: ticket.no,
      about_kind: ticket.aboutKind,
      about: ticket.about,
      topic: ticket.topic,
      opened_ms: ticket.openedAt,
      last_ms: ticket.openedAt,
      due_ms: ticket.dueAt,
    })
    .execute()
}

interface NewMessage {
  readonly id: string
  readonly staffId: string | null
  readonly words: string
  readonly pictures?: readonly string[]
  readonly verdict?: Verdict | null
  readonly request?: { readonly id: string; readonly fingerprint: Buffer }
  readonly at: Instant
  /** The change of the ticket that is stored together with the message. */
  readonly change: TicketChange
}

/** Adds a message to a locked ticket. */
export async function addMessage(
  tx: Tx,
  ticket: Pick<Ticket, 'userId' | 'id' | 'lastSeq'>,
  message: NewMessage,
): Promise<void> {
  const seq = ticket.lastSeq + 1
  await tx
    .insertInto('ticket_message')
    .values({
      user_id: ticket.userId,
      ticket_id: ticket.id,
      seq,
      id: message.id,
      staff_id: message.staffId,
      words: message.words,
      pictures: [...(message.pictures ?? [])],
      verdict: message.verdict ?? null,
      request_id: message.request?.id ?? null,
      fingerprint: message.request?.fingerprint ?? null,
      at_ms: message.at,
    })
    .execute()
  await updateTicket(tx, ticket, { ...message.change, last_seq: seq, last_ms: message.at })
}

export interface TicketChange {
  readonly state?: TicketState
  readonly owner?: string | null
  readonly due_ms?: Instant | null
  readonly closed_ms?: Instant | null
  readonly closed_by?: 'user' | 'staff' | 'silence' | null
  readonly verdict?: Verdict
  readonly last_seq?: number
  readonly last_ms?: Instant
}

/** Changes a locked ticket. */
export async function updateTicket(
  tx: Tx,
  { userId, id }: Pick<Ticket, 'userId' | 'id'>,
  change: TicketChange,
): Promise<void> {
  await tx.updateTable('ticket').set(change).where('user_id', '=', userId).where('id', '=', id).execute()
}

/**
 * Closes the tickets that have waited for their user since `before` or longer. Returns whether there were such tickets.
 */
export async function closeSilentTickets(db: Db, before: Instant, now: Instant): Promise<boolean> {
  const rows = await db
    .updateTable('ticket')
    .set({ state: 'closed', closed_ms: now, closed_by: 'silence' })
    .where('state', '=', 'waiting_user')
    .where('last_ms', '<=', BigInt(before))
    .returning('id')
    .execute()
  return rows.length > 0
}

/**
 * Makes the tickets of a staff member unassigned again, after this staff member was blocked or got another role. Closed
 * tickets too, because their users can open them again.
 */
export async function releaseTickets(tx: Tx, staffId: string): Promise<void> {
  await tx.updateTable('ticket').set({ owner: null }).where('owner', '=', staffId).execute()
}

type Row = Awaited<ReturnType<typeof anyTicket>>
const anyTicket = (db: Db) => db.selectFrom('ticket').selectAll().executeTakeFirstOrThrow()

export function toTicket(row: Row): Ticket {
  return {
    userId: row.user_id,
    id: row.id,
    no: row.no,
    aboutKind: row.about_kind,
    about: row.about,
    topic: row.topic,
    state: row.state,
    owner: row.owner,
    openedAt: instant(row.opened_ms),
    lastAt: instant(row.last_ms),
    lastSeq: row.last_seq,
    dueAt: row.due_ms === null ? null : instant(row.due_ms),
    closedAt: row.closed_ms === null ? null : instant(row.closed_ms),
    closedBy: row.closed_by,
    verdict: row.verdict,
  }
}
