import { sql } from 'kysely'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { IncidentKind } from '#server/market-data/feeds/multi-source/market-feed-options.ts'

export interface IncidentRow {
  readonly id: string
  readonly symbolId: number | null
  readonly kind: IncidentKind
  readonly source: string | null
  readonly at: Instant
  /** Whether the incident lasts for some time, so that it has an end, known or still to come. */
  readonly lasts: boolean
  readonly detail: string
}

export interface IncidentEnd {
  readonly incidentId: string
  readonly at: Instant
}

export interface FeedIncident extends IncidentRow {
  readonly endedAt: Instant | null
}

export interface IncidentsQuery {
  /** Only incidents of this symbol. */
  readonly symbolId?: number
  /** Only incidents that come before this incident in the list. */
  readonly before?: { readonly at: Instant; readonly id: string }
  readonly limit: number
}

/** Inserts incidents that are not stored yet. After a lost reply the same rows are sent again. */
export async function addIncidents(
  db: Db,
  incidents: readonly IncidentRow[],
  ends: readonly IncidentEnd[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (incidents.length > 0) {
      const rows = incidents.map(({ symbolId, at, ...row }) => ({ ...row, symbol_id: symbolId, at_ms: at }))
      await tx
        .insertInto('feed_incident')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
    if (ends.length > 0) {
      await tx
        .insertInto('feed_incident_end')
        .values(ends.map(({ incidentId, at }) => ({ incident_id: incidentId, at_ms: at })))
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  })
}

/** Ends incidents that an earlier run of the server left open, because it never saw their end. */
export async function endOpenIncidents(db: Db, at: Instant): Promise<void> {
  await sql`
    insert into feed_incident_end (incident_id, at_ms)
    select id, greatest(at_ms, ${at}::int8) from feed_incident
    where lasts and not exists (select from feed_incident_end where incident_id = id)`.execute(db)
}

/** Lists incidents, newest first. */
export async function listIncidents(db: Db, { symbolId, before, limit }: IncidentsQuery): Promise<FeedIncident[]> {
  let query = db
    .selectFrom('feed_incident')
    .leftJoin('feed_incident_end', 'feed_incident_end.incident_id', 'feed_incident.id')
    .select(['id', 'symbol_id', 'kind', 'source', 'feed_incident.at_ms', 'lasts', 'detail'])
    .select('feed_incident_end.at_ms as ended_ms')
  if (symbolId !== undefined) query = query.where('symbol_id', '=', symbolId)
  if (before !== undefined) {
    query = query.where(sql<boolean>`(feed_incident.at_ms, id) < (${before.at}::int8, ${before.id}::uuid)`)
  }
  const rows = await query.orderBy('feed_incident.at_ms', 'desc').orderBy('id', 'desc').limit(limit).execute()
  return rows.map(({ symbol_id, at_ms, ended_ms, kind, ...row }) => ({
    ...row,
    kind: kind as IncidentKind,
    symbolId: symbol_id,
    at: instant(at_ms),
    endedAt: ended_ms === null ? null : instant(ended_ms),
  }))
}
