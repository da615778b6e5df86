import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Questions to the public record of a source about an expiry that the tick log cannot decide. A restarted server goes on with them.
  create table history_question (
    symbol_id int4 not null,
    source text not null,
    expires_ms int8 not null,
    first_requested_ms int8 not null,
    last_requested_ms int8 not null check (last_requested_ms >= first_requested_ms),
    differs_since_ms int8,
    outcome text check (outcome in ('quiet', 'rests', 'unavailable', 'contradicts')),
    newest_ref int8,
    covered_until_ms int8,
    primary key (symbol_id, source, expires_ms),
    check (first_requested_ms > expires_ms),
    check (outcome is null or outcome in ('unavailable', 'contradicts') or (newest_ref is not null and covered_until_ms > expires_ms)),
    check (outcome is distinct from 'rests' or covered_until_ms >= expires_ms + 600000),
    check (outcome is distinct from 'contradicts' or differs_since_ms is not null)
  )`,
  `-- Late evidence may span any time, so a search by time cannot bound it as it bounds other batches.
  create index tick_batch_late on tick_batch (last_time_ms) where is_late`,
  `create index tick_pack_long on tick_pack (last_time_ms) where last_time_ms - first_time_ms > 600000`,
]

/** Evidence that is read from a provider's record after a stop. */
export const lateEvidence: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
