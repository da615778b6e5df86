import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

const SHOWN = 20

/** Lists the 20 maintenances and pauses that start or started latest, latest first. */
export async function listMaintenance(db: Db) {
  return await db
    .selectFrom('maintenance')
    .selectAll()
    .orderBy('from_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
}

/**
 * Counts the open orders, separately before (`running`) and after their expiry (`waiting`), and finds the last expiry.
 */
export async function countOpenOrders(db: Db, now: Instant) {
  const row = await db
    .selectFrom('open_order')
    .select((of) => [
      of.fn.countAll<bigint>().filterWhere('expires_ms', '>', BigInt(now)).as('running'),
      of.fn.countAll<bigint>().filterWhere('expires_ms', '<=', BigInt(now)).as('waiting'),
      of.fn.max('expires_ms').as('last'),
    ])
    .executeTakeFirstOrThrow()
  // The type of the query does not show that the maximum is null when there are no rows.
  const last: bigint | null = row.last
  return {
    running: Number(row.running),
    waiting: Number(row.waiting),
    lastExpiry: last === null ? null : instant(last),
  }
}
