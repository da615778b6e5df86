import { sql } from 'kysely'
import { type ClosedRefusal, closingRefusal } from '#core/accounts/closing.ts'
import { breakRefusal, type BreakKind } from '#core/accounts/self-limits.ts'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { type OrderKey, type SettledColumns, toSettledOrder } from '#server/trading/engine/settled-orders.queries.ts'

/** A day: an unconfirmed result is resent for this time. */
export const RESEND_WINDOW_MS = DAY_MS

/** The trading permission in every pong, and the user's language. */
export interface TradeStatus {
  readonly allowed: boolean
  readonly reason: string
  readonly language: string
  /**
   * The refusal when users have closed trading for themselves, by a break or by closing their account; null when they
   * have not.
   */
  readonly closed: ClosedRefusal | null
}

export async function readTradeStatus(db: Db, userId: string): Promise<TradeStatus | null> {
  const { rows } = await sql<{
    trade_allowed: boolean
    trade_reason: string
    language: string
    kind: BreakKind | null
    from_ms: bigint
    until_ms: bigint
    requested_ms: bigint | null
    erase_ms: bigint | null
  }>`
    select u.trade_allowed, u.trade_reason, u.language, b.kind, b.from_ms, b.until_ms, b.asked_ms as requested_ms, c.erase_ms
    from app_user u left join lateral break_of(u.id) b on true
    left join account_closing c on c.user_id = u.id and c.state = 'closing'
    where u.id = ${userId}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  return {
    allowed: row.trade_allowed,
    reason: row.trade_reason,
    language: row.language,
    closed: row.erase_ms === null ? refusalOfBreak(row) : closingRefusal(instant(row.erase_ms)),
  }
}

interface BreakColumns {
  readonly kind: BreakKind | null
  readonly from_ms: bigint
  readonly until_ms: bigint
  readonly requested_ms: bigint | null
}

function refusalOfBreak({ kind, ...row }: BreakColumns): ClosedRefusal | null {
  if (kind === null) return null
  const requestedAt = row.requested_ms === null ? null : instant(row.requested_ms)
  return breakRefusal({ kind, from: instant(row.from_ms), until: instant(row.until_ms), requestedAt })
}

/** Only the newest 500 results of a user can be resent. Confirmations of older results are not stored. */
export const MAX_RESENT_RESULTS = 500

/**
 * Returns the newest results settled after `since` that these users have not confirmed, in the order of settlement.
 * Considers the newest `MAX_RESENT_RESULTS` of each user, and returns at most `limit` in total.
 */
export async function unseenResults(
  db: Db,
  userIds: readonly string[],
  since: Instant,
  limit: number,
): Promise<SettledOrder[]> {
  const { rows } = await sql<SettledColumns>`
    select h.* from unnest(${userIds}::uuid[]) as asked (user_id)
    left join result_seen s on s.user_id = asked.user_id
    cross join lateral (
      select user_id, id, trx, client_order_id, symbol_id, direction, stake, entry_price, exit_price, result, result_amount,
        balance_after, void_reason, settled_ms, result_number
      from order_history o where o.user_id = asked.user_id and o.settled_ms > ${since}::int8
      order by o.settled_ms desc limit ${MAX_RESENT_RESULTS}::int4
    ) h
    where h.result_number > coalesce(s.until_number, 0) and (h.result_number = any(s.beyond)) is not true
    order by h.settled_ms desc, h.result_number desc limit ${limit}::int4`.execute(db)
  return rows.toReversed().map(toSettledOrder)
}

/** A result of a user by its number. */
export interface NumberedResult {
  readonly userId: string
  readonly number: number
}

/**
 * Returns the numbers of these results. Leaves out results of other users, and results that were stored before results
 * had numbers. `lateral` with `limit 1` forces a lookup by key. Without table statistics the planner would scan the
 * table.
 */
export async function findResultNumbers(db: Db, keys: readonly OrderKey[]): Promise<NumberedResult[]> {
  const { rows } = await sql<{ user_id: string; result_number: bigint }>`
    select s.user_id, h.result_number
    from unnest(${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ orderId }) => orderId)}::uuid[])
      as s (user_id, order_id)
    cross join lateral (
      select result_number from order_history o where o.id = s.order_id and (o.user_id = s.user_id) is true limit 1
    ) h
    where h.result_number is not null`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, number: Number(row.result_number) }))
}

/**
 * Stores which results their users have confirmed. The rows are written in the order of the user ids, so that two
 * servers with confirmations of the same users cannot deadlock. Usually all numbers directly follow `until_number`,
 * which then simply increases. Otherwise a "gaps and islands" query finds the consecutive run: in the run, number minus
 * row number is constant. The statement also skips results that are too old to be resent, so that a row stays small.
 */
export async function noteSeen(db: Db, seen: readonly NumberedResult[]): Promise<void> {
  const users = [...byUser(seen)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (users.length === 0) return
  await sql`
    insert into result_seen as known (user_id, until_number, beyond)
    select user_id, 0, numbers::int8[]
    from unnest(${users.map(([userId]) => userId)}::uuid[], ${users.map(([, numbers]) => arrayText(numbers))}::text[])
      as s (user_id, numbers)
    order by user_id
    on conflict (user_id) do update set (until_number, beyond) = (
      select now.until_number, now.beyond
      from (
        select known.beyond = '{}' and excluded.beyond[1] = known.until_number + 1
          and excluded.beyond[cardinality(excluded.beyond)] = known.until_number + cardinality(excluded.beyond) as goes_on
      ) all_of_them
      cross join lateral (
        select known.until_number + cardinality(excluded.beyond) as until_number, '{}'::int8[] as beyond where goes_on
        union all
        select until_number, beyond from (
          select greatest(max(number) filter (where is_next), max(number) - ${MAX_RESENT_RESULTS}::int8, known.until_number)
              as until_number,
            coalesce(array_agg(number) filter (where not is_next and number > newest - ${MAX_RESENT_RESULTS}::int8), '{}')
              as beyond
          from (
            select number, number - row_number() over (order by number) = known.until_number as is_next,
              max(number) over () as newest
            from (select distinct number from unnest(known.beyond || excluded.beyond) as n (number)
              where number > known.until_number) numbers
          ) islands
        ) gaps where not goes_on
      ) now
    )`.execute(db)
}

/** Groups the distinct numbers by user. */
function byUser(seen: readonly NumberedResult[]): Map<string, Set<number>> {
  const numbers = new Map<string, Set<number>>()
  for (const { userId, number } of seen) {
    const own = numbers.get(userId)
    if (own === undefined) numbers.set(userId, new Set([number]))
    else own.add(number)
  }
  return numbers
}

/** Formats a sorted array as PostgreSQL text. */
function arrayText(numbers: ReadonlySet<number>): string {
  return `{${[...numbers].toSorted((a, b) => a - b).join(',')}}`
}
