import { sql } from 'kysely'
import type { ExposedOrder } from '#core/markets/caps/exposure.ts'
import { readMarketType } from '#core/markets/market.ts'
import { basisPoints, money, shareHalfEven } from '#core/money/money.ts'
import { type Direction, readDirection } from '#core/orders/order.ts'
import { assert } from '#core/result.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The number of orders of one day, symbol and direction that a cap refused. */
export interface CapRefusals {
  /** Days since 1970, in UTC. */
  readonly day: number
  readonly symbolId: number
  readonly direction: Direction
  readonly orders: number
}

/**
 * Reads all open orders that caps count, with the facts that caps need. Caps do not count practice orders. With `waits`, first waits for statements of a killed server that
 * still run, so that it misses none of their orders. The lock also waits for a vacuum of the table and delays all
 * orders. So the caller passes `waits` only when such a statement can exist.
 */
export async function readOpenExposure(db: Db, { waits }: { readonly waits: boolean }): Promise<ExposedOrder[]> {
  return await db.transaction().execute(async (tx) => {
    if (waits) await sql`lock table open_order in share mode`.execute(tx)
    const { rows } = await sql<{
      id: string
      code: string
      market_type: string
      direction: number
      stake: bigint
      profit_basis_points: number
      expires_ms: bigint
      is_bot: boolean
    }>`
      select o.id, s.code, s.market_type, o.direction, o.stake, o.profit_basis_points, o.expires_ms, u.is_bot
      from open_order o join market_symbol s on s.id = o.symbol_id join app_user u on u.id = o.user_id
      where not is_practice(o.user_id)`.execute(tx)
    return rows.map((row) => {
      const marketType = readMarketType(row.market_type)
      assert(marketType, `the database names a market we do not have: ${row.market_type}`)
      return {
        orderId: row.id,
        code: row.code.toUpperCase(),
        marketType,
        direction: readDirection(row.direction),
        profit: shareHalfEven(money(row.stake), basisPoints(row.profit_basis_points)),
        expiresAt: instant(row.expires_ms),
        isBot: row.is_bot,
      }
    })
  })
}

/** Adds to the stored numbers of orders that a cap refused. */
export async function addCapRefusals(db: Db, rows: readonly CapRefusals[]): Promise<void> {
  await db
    .insertInto('cap_refusal')
    .values(rows.map(({ day, symbolId, direction, orders }) => ({ day, symbol_id: symbolId, direction, orders })))
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'symbol_id', 'direction'])
        .doUpdateSet({ orders: sql`cap_refusal.orders + excluded.orders` }),
    )
    .execute()
}
