import { type Kysely, type Migration, sql } from 'kysely'

/** Incidents of the price feed, with their ends. */
export const feedIncidents: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Append-only: the end of a lasting incident is a separate row.
  `create table feed_incident (
    id uuid primary key,
    symbol_id int4,
    kind text not null check (kind in ('switched', 'silent', 'late', 'refused', 'divergence', 'spike_dropped', 'lost', 'gap')),
    source text,
    at_ms int8 not null,
    lasts boolean not null,
    detail text not null
  )`,
  `create index feed_incident_newest on feed_incident (at_ms, id)`,
  `create index feed_incident_of_symbol on feed_incident (symbol_id, at_ms, id)`,
  `create table feed_incident_end (
    incident_id uuid primary key references feed_incident,
    at_ms int8 not null
  )`,
]
