import { VOID } from '#core/orders/order.ts'
import { sql } from 'kysely'
import type { IncidentOut } from '#contract/incidents.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

export interface ListedIncident extends Omit<IncidentOut, 'symbol'> {
  readonly symbolId: number | null
}

export interface IncidentsQuery {
  readonly symbolId: number | null
  /** The position of the last incident of the previous page. */
  readonly before: { readonly fromMs: number; readonly id: string } | null
  readonly limit: number
  readonly now: Instant
}

interface IncidentRow {
  id: string
  kind: IncidentOut['kind']
  cause: IncidentOut['cause']
  symbol_id: number | null
  source: string | null
  from_ms: bigint
  to_ms: bigint | null
  orders_refunded: bigint | null
}

/**
 * Reads voids, gaps and feed incidents, newest first. The query reads each kind through an index of this kind, and no
 * further than the page needs. It counts the orders of a page through an index that contains only void orders.
 */
export async function readIncidents(
  db: Db,
  { symbolId, before, limit, now }: IncidentsQuery,
): Promise<ListedIncident[]> {
  const ofSymbol = symbolId === null ? sql`true` : sql`symbol_id = ${symbolId}::int4`
  // The condition on the instant alone lets PostgreSQL use the index. Incidents of the same instant are ordered by id,
  // in the same way in every database.
  const older = before === null ? sql`true` : sql`from_ms <= ${before.fromMs}::int8`
  const afterCursor =
    before === null ? sql`true` : sql`(from_ms < ${before.fromMs}::int8 or id < ${before.id}::text collate "C")`
  const page = sql`where ${ofSymbol} and ${older} and ${afterCursor}
    order by from_ms desc, id collate "C" desc limit ${limit}::int4`
  const { rows } = await sql<IncidentRow>`
    with listed as (
      (select * from (
        select 'void:' || symbol_id || ':' || expires_ms as id, 'void' as kind, void_reason as cause, symbol_id,
          null::text as source, expires_ms as from_ms, greatest(decided_ms, expires_ms) as to_ms
        from settlement_price where void_reason is not null
      ) v ${page})
      union all
      (select * from (
        select 'void:' || symbol_id || ':' || expires_ms || ':' || source || ':' || max_tick_age_ms || ':' || rule || ':' || evidence as id,
          'void', void_reason, symbol_id, null::text, expires_ms as from_ms, greatest(decided_ms, expires_ms)
        from decided_price where void_reason is not null
      ) d ${page})
      union all
      (select * from (
        select 'gap:' || symbol_id || ':' || from_ms as id, 'gap', 'prices_missed', symbol_id, null::text, from_ms, to_ms
        from price_gap
      ) g ${page})
      union all
      (select * from (
        select 'feed:' || i.id as id, 'feed',
          case kind when 'gap' then 'outage' when 'spike_dropped' then 'spike' else kind end,
          symbol_id, source, i.at_ms as from_ms, case when lasts then e.at_ms else i.at_ms end
        from feed_incident i left join feed_incident_end e on e.incident_id = i.id
      ) f ${page})
    )
    select page.*, case when symbol_id is null then null else (
      select count(*) from order_history o
      where o.symbol_id = page.symbol_id and o.result = ${sql.lit(VOID)} and not is_practice(o.user_id) and o.expires_ms >= page.from_ms
        and o.expires_ms <= case when page.kind = 'void' then page.from_ms else coalesce(page.to_ms, ${now}::int8) end
    ) end as orders_refunded
    from (select * from listed order by from_ms desc, id collate "C" desc limit ${limit}::int4) page
    order by from_ms desc, id collate "C" desc`.execute(db)
  return rows.map(({ symbol_id, from_ms, to_ms, orders_refunded, ...row }) => ({
    ...row,
    symbolId: symbol_id,
    from_ms: Number(from_ms),
    to_ms: to_ms === null ? null : Number(to_ms),
    orders_refunded: orders_refunded === null ? null : Number(orders_refunded),
  }))
}
