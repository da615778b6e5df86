import { sql } from 'kysely'
import { type Direction, readDirection } from '#core/orders/order.ts'
import { type Price, price } from '#core/money/price.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

export async function favoritesOf(db: Db, userId: string): Promise<Set<number>> {
  const rows = await db.selectFrom('favorite').select('symbol_id').where('user_id', '=', userId).execute()
  return new Set(rows.map((row) => row.symbol_id))
}

/**
 * Adds a favourite, or removes it if it exists. Returns whether the symbol is a favourite now. Two concurrent calls
 * have the same effect as two calls one after the other.
 */
export async function flipFavorite(db: Db, userId: string, symbolId: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // The user's row is locked so that a flip sees the result of the previous flip.
    await tx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute()
    const { numDeletedRows } = await tx
      .deleteFrom('favorite')
      .where('user_id', '=', userId)
      .where('symbol_id', '=', symbolId)
      .executeTakeFirst()
    if (numDeletedRows > 0n) return false
    await tx.insertInto('favorite').values({ user_id: userId, symbol_id: symbolId }).execute()
    return true
  })
}

/** Returns the symbols on which the user has an open order, or had one that ended after an instant. */
export async function recentSymbolsOf(db: Db, userId: string, after: Instant): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('open_order')
    .select('symbol_id')
    .where('user_id', '=', userId)
    .union((also) =>
      also
        .selectFrom('order_history')
        .select('symbol_id')
        .where('user_id', '=', userId)
        .where('settled_ms', '>', BigInt(after)),
    )
    .execute()
  return new Set(rows.map((row) => row.symbol_id))
}

/** Whether this user may open orders, and the reason shown to the user if not. */
export async function tradeStatusOf(db: Db, userId: string): Promise<{ mayTrade: boolean; reason: string }> {
  const row = await db
    .selectFrom('app_user')
    .select(['trade_allowed', 'trade_reason'])
    .where('id', '=', userId)
    .executeTakeFirst()
  return { mayTrade: row?.trade_allowed ?? false, reason: row?.trade_reason ?? '' }
}

/** An order as any user may see it. The server masks the user name before it sends the order. */
export interface LatestOrder {
  readonly id: string
  readonly username: string
  readonly isBot: boolean
  readonly entryPrice: Price
  readonly seconds: number
  readonly direction: Direction
  readonly openedAt: Instant
}

/** Lists the newest orders of all users on one symbol, open and settled, without practice orders. */
export async function latestOrders(db: Db, symbolId: number, limit: number): Promise<LatestOrder[]> {
  const { rows } = await sql<{
    id: string
    username: string
    is_bot: boolean
    entry_price: bigint
    seconds: number
    direction: number
    opened_ms: bigint
  }>`
    select o.id, u.username, u.is_bot, o.entry_price, o.seconds, o.direction, o.opened_ms
    from (
      (select user_id, id, entry_price, seconds, direction, opened_ms from open_order
        where symbol_id = ${symbolId} and not is_practice(user_id) order by opened_ms desc limit ${limit})
      union all
      (select user_id, id, entry_price, seconds, direction, opened_ms from order_history
        where symbol_id = ${symbolId} and not is_practice(user_id) order by opened_ms desc limit ${limit})
    ) o
    join app_user u on u.id = o.user_id
    order by o.opened_ms desc, o.id desc
    limit ${limit}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    username: row.username,
    isBot: row.is_bot,
    entryPrice: price(row.entry_price),
    seconds: row.seconds,
    direction: readDirection(row.direction),
    openedAt: instant(row.opened_ms),
  }))
}
