import { sql } from 'kysely'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/announcements.ts'
import type { Db } from '#server/db/tables.ts'
import { toSettledOrder } from '#server/engine/settled-orders.queries.ts'

/** A result that nobody confirmed is told again for so long. */
export const DELIVERED_FOR_MS = DAY_MS

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

/** The newest results settled after `since` that these users have not confirmed, in the order of their ends. */
export async function undeliveredResults(
  db: Db,
  userIds: readonly string[],
  since: Instant,
  limit: number,
): Promise<SettledOrder[]> {
  const rows = await db
    .selectFrom('result_delivery')
    .innerJoin('order_history', (join) =>
      join
        .onRef('order_history.user_id', '=', 'result_delivery.user_id')
        .onRef('order_history.id', '=', 'result_delivery.order_id'),
    )
    .selectAll('order_history')
    .where(sql<boolean>`result_delivery.user_id = any(${userIds}::uuid[])`)
    .where('result_delivery.created_ms', '>', BigInt(since))
    .orderBy('order_history.settled_ms', 'desc')
    .limit(limit)
    .execute()
  return rows.toReversed().map(toSettledOrder)
}

/** A result that its user was to be told. */
export interface Delivery {
  readonly userId: string
  readonly orderId: string
}

/**
 * Results that their users have seen need no delivery any more. Of many users at once; in one order, so that two servers
 * that are told the same by two devices do not wait for each other. Each is looked up by its key (`lateral`, `limit 1`):
 * a planner that knows nothing of the table would read all of it.
 */
export async function deleteDelivered(db: Db, seen: readonly Delivery[]): Promise<void> {
  await sql`
    with seen as materialized (
      select distinct user_id, order_id from unnest(
        ${seen.map(({ userId }) => userId)}::uuid[], ${seen.map(({ orderId }) => orderId)}::uuid[]
      ) as s (user_id, order_id) order by user_id, order_id
    ),
    found as materialized (
      select d.tid from seen s cross join lateral (
        select ctid as tid from result_delivery where user_id = s.user_id and order_id = s.order_id limit 1
      ) d
    )
    delete from result_delivery d using found f where d.ctid = f.tid`.execute(db)
}

/** Results too old to be told again, at most `limit` of them; answers how many there were. */
export async function deleteOldDeliveries(db: Db, before: Instant, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from result_delivery where ctid = any(array(
      select ctid from result_delivery where created_ms <= ${before}::int8 limit ${limit}::int4
    ))`.execute(db)
  return Number(numAffectedRows)
}
