import { sql } from 'kysely'
import { type LimitUse, type SelfLimitKey, WINDOW_MS } from '#core/accounts/self-limits.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { MARK_INTERVAL_MS } from '#server/ledger/limit-marks.queries.ts'
import { limitWindows } from '#server/ledger/limit-windows.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** An own limit in force, with how much of it is used. */
export interface LimitState extends LimitUse {
  readonly key: SelfLimitKey
  readonly since: Instant
  /** When old orders leave the window and make room. Null when none will. */
  readonly freesAt: Instant | null
}

/** A change of an own limit, and how it ended if it had to wait. */
export interface LimitChange {
  readonly id: string
  readonly key: SelfLimitKey
  readonly from: Money | null
  readonly to: Money | null
  readonly direction: 'tighter' | 'looser'
  readonly requestedAt: Instant
  readonly readyAt: Instant
  readonly lapsesAt: Instant
  readonly outcome: 'confirmed' | 'dropped' | 'lapsed' | 'waiting' | 'in_force'
  readonly isReady: boolean
}

const NOW = sql<bigint>`(extract(epoch from clock_timestamp()) * 1000)::int8`
const { day, week, month } = WINDOW_MS

/** Sums the user's deposits of the window `w`: credited deposits are `used`, waiting deposits are `open`. */
const depositUse = (userId: string) => sql`
  select coalesce(sum(credited) filter (where status = 1), 0)::int8 as used,
    coalesce(sum(credited) filter (where status = 2), 0)::int8 as open, min(created_ms) + w.ms as frees_ms
  from deposit where user_id = ${userId} and status in (1, 2) and created_ms > now.ms - w.ms`

const depositWindows = sql`
  (values ('deposit_day', ${sql.lit(day)}::int8), ('deposit_week', ${sql.lit(week)}::int8),
    ('deposit_month', ${sql.lit(month)}::int8)) w (key, ms)`

/** The own limits of a user, by the clock of the database. */
export async function listLimits(db: Db, userId: string): Promise<LimitState[]> {
  const { rows } = await sql<{
    key: SelfLimitKey
    value: bigint
    since_ms: bigint
    used: bigint
    open: bigint
    frees_ms: bigint | null
  }>`
    with now as materialized (select ${NOW} as ms),
    l as materialized (select * from balance where user_id = ${userId} and currency = ${BASE_CURRENCY}),
    uses as (
      select w.key, w.used, l.staked as open, case when w.used > 0 then coalesce(
          (select min(m.made_ms) + w.ms from limit_mark m where m.user_id = l.user_id and m.made_ms > w.made_ms
            and case when w.is_loss then greatest(0, m.net_total - l.net_total) else l.stake_total - m.stake_total end < w.used),
          (select min(o.settled_ms) + w.ms + ${MARK_INTERVAL_MS}::int8 from order_history o where o.user_id = l.user_id
            and o.settled_ms > (select coalesce(max(m.made_ms), 0) from limit_mark m where m.user_id = l.user_id)),
          now.ms + w.ms + ${MARK_INTERVAL_MS}::int8) end as frees_ms
      from now, l cross join lateral (${limitWindows(sql`(select ms from now)`)}) w
      union all
      select w.key, d.used, d.open, d.frees_ms from now cross join ${depositWindows}
      cross join lateral (${depositUse(userId)}) d
    )
    select s.key, s.amount as value, s.since_ms, coalesce(u.used, 0) as used, coalesce(u.open, 0) as open, u.frees_ms
    from self_limit s left join uses u on u.key = s.key
    where s.user_id = ${userId}`.execute(db)
  return rows.map((row) => ({
    key: row.key,
    value: money(row.value),
    since: instant(row.since_ms),
    used: money(row.used),
    open: money(row.open),
    freesAt: row.frees_ms === null ? null : instant(row.frees_ms),
  }))
}

/** Locks a user's limits against other changes, and against orders that are being accepted. */
export async function lockLimits(tx: Tx, userId: string): Promise<void> {
  await sql`select lock_self_rules(${userId})`.execute(tx)
}

/** The limits in force, without their use. */
export async function limitsInForce(db: Db, userId: string): Promise<Map<SelfLimitKey, Money>> {
  const rows = await db.selectFrom('self_limit').select(['key', 'amount']).where('user_id', '=', userId).execute()
  return new Map(rows.map(({ key, amount }) => [key, money(amount)]))
}

/** The newest changes of a user, or one change. Only changes without an end wait. */
export async function listChanges(
  db: Db,
  userId: string,
  { limit, id, waiting = false }: { readonly limit: number; readonly id?: string; readonly waiting?: boolean },
): Promise<LimitChange[]> {
  const rows = await db
    .selectFrom('self_limit_change as c')
    .leftJoin('self_limit_change_end as e', (join) =>
      join.onRef('e.user_id', '=', 'c.user_id').onRef('e.id', '=', 'c.id'),
    )
    .selectAll('c')
    .select(['e.outcome', NOW.as('now_ms')])
    .where('c.user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('c.id', '=', id ?? ''))
    .$if(waiting, (query) =>
      query.where('c.direction', '=', 'looser').where('e.id', 'is', null).where('c.lapses_ms', '>', NOW),
    )
    .orderBy('c.asked_ms', 'desc')
    .orderBy('c.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    key: row.key,
    from: row.from_amount === null ? null : money(row.from_amount),
    to: row.to_amount === null ? null : money(row.to_amount),
    direction: row.direction,
    requestedAt: instant(row.asked_ms),
    readyAt: instant(row.ready_ms),
    lapsesAt: instant(row.lapses_ms),
    outcome:
      row.outcome ?? (row.direction === 'tighter' ? 'in_force' : row.now_ms < row.lapses_ms ? 'waiting' : 'lapsed'),
    isReady: row.now_ms >= row.ready_ms,
  }))
}

/** More than the changes that can wait: one for each limit. */
const MAX_WAITING = 50

/** The looser changes that wait for their time or for the user's confirmation. */
export function listWaitingChanges(db: Db, userId: string): Promise<LimitChange[]> {
  return listChanges(db, userId, { limit: MAX_WAITING, waiting: true })
}

/** Adds a change. The database decides whether it takes effect at once or waits. */
export async function insertChange(
  tx: Tx,
  change: { readonly userId: string; readonly id: string; readonly key: SelfLimitKey; readonly to: Money | null },
): Promise<void> {
  await tx
    .insertInto('self_limit_change')
    .values({ user_id: change.userId, id: change.id, key: change.key, to_amount: change.to })
    .execute()
}

export interface ChangeEnd {
  readonly userId: string
  readonly id: string
  readonly outcome: 'confirmed' | 'dropped'
}

/** Ends a change that waits. Returns how it ended: the database lets a change lapse that was confirmed too late. */
export async function endChange(
  tx: Tx,
  { userId, id, outcome }: ChangeEnd,
): Promise<'confirmed' | 'dropped' | 'lapsed'> {
  const row = await tx
    .insertInto('self_limit_change_end')
    .values({ user_id: userId, id, outcome })
    .returning('outcome')
    .executeTakeFirstOrThrow()
  return row.outcome
}
