import { type RawBuilder, sql } from 'kysely'
import type { Found } from '#contract/back-office/find.ts'
import type { Role } from '#core/staff/permissions.ts'
import { type AboutKind, visibleKinds } from '#core/tickets/ticket-rules.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { likeText } from '#server/back-office/api/like-text.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type Ticket, toTicket } from '#server/users/tickets/tickets.queries.ts'

export interface ListedTicket extends Ticket {
  readonly username: string
  readonly ownerName: string | null
}

export type WhichTickets = 'mine' | 'nobody' | 'overdue' | 'all'

interface TicketFilters {
  readonly which: WhichTickets
  readonly search: string | undefined
  readonly kinds: readonly AboutKind[]
  readonly staffId: string
  readonly now: Instant
}

const BY_NEWEST_MESSAGE: Keyset['columns'] = [
  ['t.last_ms', 'int8'],
  ['t.id', 'uuid'],
]

/**
 * Lists tickets of these kinds. Open tickets are listed by their last message, oldest first, so the longest wait comes
 * first. The list of all tickets begins with the newest last message.
 */
export async function listStaffTickets(db: Db, filters: TicketFilters, page: Page): Promise<ListedTicket[]> {
  const { which, search, kinds, staffId, now } = filters
  if (kinds.length === 0) return []
  const order = which === 'all' ? 'desc' : 'asc'
  const wanted = listed(db)
    .where('t.about_kind', 'in', [...kinds])
    .$if(which !== 'all', (all) => all.where('t.state', '<>', 'closed'))
    .$if(which === 'mine', (all) => all.where('t.owner', '=', staffId))
    .$if(which === 'nobody', (all) => all.where('t.owner', 'is', null))
    .$if(which === 'overdue', (all) => all.where('t.due_ms', '<', BigInt(now)))
    .$if(search !== undefined, (all) => all.where(matches(search ?? '')))
  const rows = await pageAfter(wanted, { columns: BY_NEWEST_MESSAGE, order }, page).execute()
  return rows.map(toListed)
}

/** Finds a ticket by its number. Returns null when its kind is none of `kinds`. */
export async function findStaffTicket(db: Db, no: string, kinds: readonly AboutKind[]): Promise<ListedTicket | null> {
  const row = await listed(db).where('t.no', '=', no.toUpperCase()).executeTakeFirst()
  return row && kinds.includes(row.about_kind) ? toListed(row) : null
}

/** Finds tickets by the start of their number. */
export async function findTickets(
  db: Db,
  text: string,
  { kinds, limit }: { readonly kinds: readonly AboutKind[]; readonly limit: number },
): Promise<Found[]> {
  const number = text.toUpperCase()
  if (!number.startsWith('T-') || kinds.length === 0) return []
  const rows = await listed(db)
    .where('t.about_kind', 'in', [...kinds])
    .where('t.no', 'like', `${likeText(number)}%`)
    .orderBy('t.last_ms', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ no, username, about }) => ({
    id: no,
    title: no,
    line: [username, about].filter((part) => part !== '').join(', '),
  }))
}

/** Counts the tickets that wait for this staff member: own tickets, and unassigned tickets. */
export async function countOpenTickets(db: Db, { role, staffId }: { role: Role; staffId: string }): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int4 as count from ticket
    where state = 'open' and coalesce(owner, ${staffId}::uuid) = ${staffId}::uuid
      and about_kind = any(${visibleKinds(role)}::text[])`.execute(db)
  return rows[0]?.count ?? 0
}

/** Counts the tickets that wait for a reply of staff, and finds since when the oldest one waits. */
export async function readTicketQueue(
  db: Db,
): Promise<{ readonly waiting: number; readonly oldestAt: Instant | null }> {
  const { rows } = await sql<{ waiting: number; oldest: bigint | null }>`
    select count(*)::int4 as waiting, min(waits.since) as oldest
    from ticket t cross join lateral (
      -- The first message of the user after the newest one of staff.
      select min(m.at_ms) as since from ticket_message m
      where m.user_id = t.user_id and m.ticket_id = t.id and m.seq > coalesce((
        select max(s.seq) from ticket_message s
        where s.user_id = t.user_id and s.ticket_id = t.id and s.staff_id is not null), 0)
    ) waits where t.state = 'open'`.execute(db)
  const [row] = rows
  return { waiting: row?.waiting ?? 0, oldestAt: row?.oldest ? instant(row.oldest) : null }
}

/** Finds the kind of the ticket that has this picture. Returns null when no ticket has it. */
export async function findKindOfPicture(db: Db, name: string): Promise<AboutKind | null> {
  const { rows } = await sql<{ about_kind: AboutKind }>`
    select t.about_kind from upload u
    join ticket_message m on m.user_id = u.user_id and u.name = any(m.pictures)
    join ticket t on t.user_id = m.user_id and t.id = m.ticket_id
    where u.name = ${name} limit 1`.execute(db)
  return rows[0]?.about_kind ?? null
}

/** Lists the staff members who are not blocked, with their roles. */
export async function listActiveStaff(db: Db): Promise<{ id: string; name: string; role: string }[]> {
  return db.selectFrom('staff').select(['id', 'name', 'role']).where('is_blocked', '=', false).orderBy('name').execute()
}

function matches(search: string): RawBuilder<boolean> {
  const number = search.toUpperCase()
  if (number.startsWith('T-')) return sql<boolean>`t.no like ${`${likeText(number)}%`}`
  return sql<boolean>`t.user_id = (select id from app_user where lower(username) = ${search.toLowerCase()})`
}

function listed(db: Db) {
  return db
    .selectFrom('ticket as t')
    .innerJoin('app_user as u', 'u.id', 't.user_id')
    .leftJoin('staff as s', 's.id', 't.owner')
    .selectAll('t')
    .select(['u.username', 's.name as owner_name'])
}

type Row = Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>

function toListed(row: Row): ListedTicket {
  return { ...toTicket(row), username: row.username, ownerName: row.owner_name }
}
