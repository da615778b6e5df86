import { sql } from 'kysely'
import type { Db } from '#server/platform/database/tables.ts'
import type { ServerProcess } from '#test/support/server-process.ts'

/** Lists the leases that a server holds. */
export async function leasesOf(db: Db, run: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from lease where owner = ${run} and until_ms >= (extract(epoch from clock_timestamp()) * 1000)::int8
    order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function leaseRow(db: Db, name: string): Promise<{ owner: string; token: bigint }> {
  return await db.selectFrom('lease').select(['owner', 'token']).where('name', '=', name).executeTakeFirstOrThrow()
}

export async function isReady({ address }: ServerProcess): Promise<boolean> {
  const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  return answer?.ok ?? false
}

/** Returns the symbol lists of several servers, as text. */
export async function listsOf(addresses: readonly string[]): Promise<string[]> {
  return await Promise.all(
    addresses.map(async (address) => (await fetch(`${address}/api/user/crypto-currency/list`)).text()),
  )
}

/**
 * Returns the longest delay of a settlement in ms after `since`, the moment when a server failed. If an order expired
 * before `since`, its delay counts from `since`, not from its expiry.
 */
export async function latestAfter(db: Db, since: number): Promise<number> {
  const rows = await db
    .selectFrom('order_history')
    .select(['expires_ms', 'settled_ms'])
    .where('settled_ms', '>=', BigInt(since))
    .execute()
  return Math.max(0, ...rows.map((row) => Number(row.settled_ms) - Math.max(Number(row.expires_ms), since)))
}

export async function openOrders(db: Db): Promise<number> {
  return (await db.selectFrom('open_order').select('id').execute()).length
}
