import { sql } from 'kysely'
import type { SourceClass } from '#core/markets/source-class.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { DueKey } from '#server/trading/engine/due-index.ts'

/**
 * The columns of the price group of an order. These columns are null under rule 1, where one price settles all orders
 * of a symbol and expiry.
 */
export interface GroupColumns {
  readonly rule: number | null
  readonly source: string | null
  readonly max_tick_age_ms: number | null
  readonly evidence: SourceClass | null
}

interface ExpiryRow extends GroupColumns {
  readonly symbol_id: number
  readonly expires_ms: bigint
}

const GROUP_COLUMNS = sql.raw(`nullif(rule_version, 1) as rule,
  case when rule_version > 1 then entry_source end as source,
  case when rule_version > 1 then max_tick_age_ms end as max_tick_age_ms,
  case when rule_version > 1 then evidence end as evidence`)

/** Lists the expiries of all open orders. Scans the whole table. */
export async function openExpiries(db: Db): Promise<DueKey[]> {
  const { rows } = await sql<ExpiryRow>`
    select distinct symbol_id, expires_ms, ${GROUP_COLUMNS} from open_order`.execute(db)
  return rows.map(toDueKey)
}

/**
 * Lists expiries of open orders before `until`: for each symbol the soonest ones, at most `limit`. A loose index scan
 * (PostgreSQL wiki) costs one look-up per symbol, however many orders are open. A full scan would read a large backlog
 * again in every round, so that the backlog grows further.
 */
export async function overdueExpiries(db: Db, until: Instant, limit: number): Promise<DueKey[]> {
  const { rows } = await sql<ExpiryRow>`
    with recursive traded as (
      (select symbol_id from open_order order by symbol_id limit 1)
      union all
      select (select o.symbol_id from open_order o where o.symbol_id > t.symbol_id order by o.symbol_id limit 1)
      from traded t where t.symbol_id is not null
    )
    select o.* from traded t
    cross join lateral (
      select symbol_id, expires_ms, ${GROUP_COLUMNS} from open_order
      where symbol_id = t.symbol_id and expires_ms < ${until}::int8
      group by symbol_id, expires_ms, 3, 4, 5, 6 order by symbol_id, expires_ms limit ${limit}::int4
    ) o`.execute(db)
  return rows.map(toDueKey)
}

export function toDueKey(row: ExpiryRow): DueKey {
  const key = { symbolId: row.symbol_id, expiresAt: instant(row.expires_ms) }
  const { rule, source, max_tick_age_ms: maxTickAgeMs, evidence } = row
  if (rule === null || source === null || maxTickAgeMs === null || evidence === null) return key
  return { ...key, group: { rule, source, maxTickAgeMs, evidence } }
}
