import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

const SHOWN = 20

/**
 * Lists every planned or running maintenance and pause, so that staff can end each of them, and then the 20 newest ones
 * that are over or cancelled.
 */
export async function listMaintenance(db: Db, now: Instant) {
  const rows = db.selectFrom('maintenance').selectAll().orderBy('from_ms', 'desc').orderBy('id', 'desc')
  const open = await rows
    .where('ended_ms', 'is', null)
    .where((where) => where.or([where('to_ms', 'is', null), where('to_ms', '>', BigInt(now))]))
    .execute()
  const past = await rows
    .where((where) => where.or([where('ended_ms', 'is not', null), where('to_ms', '<=', BigInt(now))]))
    .limit(SHOWN)
    .execute()
  return [...open, ...past]
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
