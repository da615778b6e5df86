import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'

/** The expiries of all open orders. Scans the whole table. */
export async function openExpiries(db: Db): Promise<DueKey[]> {
  return (await db.selectFrom('open_order').select(['symbol_id', 'expires_ms']).distinct().execute()).map(toDueKey)
}

/**
 * The expiries of open orders before `until`: for each symbol the soonest `most`. A loose index scan (PostgreSQL wiki) costs one look-up
 * per symbol, however many orders are open. Without it a large backlog would be read again in every round and grow further.
 */
export async function overdueExpiries(db: Db, until: Instant, limit: number): Promise<DueKey[]> {
  const { rows } = await sql<{ symbol_id: number; expires_ms: bigint }>`
    with recursive traded as (
      (select symbol_id from open_order order by symbol_id limit 1)
      union all
      select (select o.symbol_id from open_order o where o.symbol_id > t.symbol_id order by o.symbol_id limit 1)
      from traded t where t.symbol_id is not null
    )
    select o.symbol_id, o.expires_ms from traded t
    cross join lateral (
      select symbol_id, expires_ms from open_order
      where symbol_id = t.symbol_id and expires_ms < ${until}::int8
      group by symbol_id, expires_ms order by symbol_id, expires_ms limit ${limit}::int4
    ) o`.execute(db)
  return rows.map(toDueKey)
}

function toDueKey(row: { readonly symbol_id: number; readonly expires_ms: bigint }): DueKey {
  return { symbolId: row.symbol_id, expiresAt: instant(row.expires_ms) }
}
