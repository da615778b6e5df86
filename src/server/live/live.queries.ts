import { sql } from 'kysely'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/announcements.ts'
import type { Db } from '#server/db/tables.ts'
import { type OrderKey, type SettledColumns, toSettledOrder } from '#server/engine/settled-orders.queries.ts'

/** A result that nobody confirmed is told again for so long. */
export const TOLD_AGAIN_FOR_MS = DAY_MS

/** What a user is told with every pong, and in which language they are spoken to. */
export interface TradeStatus {
  readonly allowed: boolean
  readonly reason: string
  readonly language: string
}

export async function readTradeStatus(db: Db, userId: string): Promise<TradeStatus | null> {
  const row = await db
    .selectFrom('app_user')
    .select(['trade_allowed', 'trade_reason', 'language'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return row ? { allowed: row.trade_allowed, reason: row.trade_reason, language: row.language } : null
}

/** So many results of a user, the newest, may be told again. Of older ones it is not kept which were seen. */
export const MOST_TOLD_AGAIN = 500

/**
 * The newest results settled after `since` that these users have not confirmed, in the order of their ends: of the newest
 * `MOST_TOLD_AGAIN` of each, at most `limit` of all.
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
      order by o.settled_ms desc limit ${MOST_TOLD_AGAIN}::int4
    ) h
    where h.result_number > coalesce(s.until_number, 0) and (h.result_number = any(s.beyond)) is not true
    order by h.settled_ms desc, h.result_number desc limit ${limit}::int4`.execute(db)
  return rows.toReversed().map(toSettledOrder)
}

/**
 * Notes which results their users have seen. Of many users at once; in one order, so that two servers that are told the same
 * by two devices do not wait for each other. Each is looked up by its key (`lateral`, `limit 1`): a planner that knows nothing
 * of the table would read all of it.
 *
 * Numbers that go on from the last one until which all were seen (each minus its place is the same, a "gaps and islands"
 * query) move it; it also passes what is too old to be told again, so that a row stays small whatever is never confirmed.
 */
export async function noteSeen(db: Db, seen: readonly OrderKey[]): Promise<void> {
  await sql`
    insert into result_seen as known (user_id, until_number, beyond)
    select s.user_id, 0, array_agg(distinct h.result_number)
    from unnest(${seen.map(({ userId }) => userId)}::uuid[], ${seen.map(({ orderId }) => orderId)}::uuid[])
      as s (user_id, order_id)
    cross join lateral (
      select result_number from order_history o where o.id = s.order_id and (o.user_id = s.user_id) is true limit 1
    ) h
    where h.result_number is not null
    group by s.user_id order by s.user_id
    on conflict (user_id) do update set (until_number, beyond) = (
      select greatest(max(number) filter (where is_next), max(number) - ${MOST_TOLD_AGAIN}::int8, known.until_number),
        coalesce(array_agg(number) filter (where not is_next and number > newest - ${MOST_TOLD_AGAIN}::int8), '{}')
      from (
        select number, number - row_number() over (order by number) = known.until_number as is_next,
          max(number) over () as newest
        from (select distinct number from unnest(known.beyond || excluded.beyond) as n (number)
          where number > known.until_number) numbers
      ) islands
    )`.execute(db)
}
