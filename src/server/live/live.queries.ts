import { sql } from 'kysely'
import type { Instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/announcements.ts'
import type { Db } from '#server/db/tables.ts'
import { toSettledOrder } from '#server/engine/settled-orders.queries.ts'

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

/** Results the user has seen, and those too old to be told, need no delivery any more. */
export async function deleteDelivered(
  db: Db,
  userId: string,
  orderIds: readonly string[],
  before: Instant,
): Promise<void> {
  await db
    .deleteFrom('result_delivery')
    .where('user_id', '=', userId)
    .where((where) =>
      orderIds.length === 0
        ? where('created_ms', '<=', BigInt(before))
        : where.or([where('order_id', 'in', orderIds), where('created_ms', '<=', BigInt(before))]),
    )
    .execute()
}
