import { type Kysely, type Migration, sql } from 'kysely'
import { TICK_LOG_FUNCTIONS } from '#server/platform/database/migrations/tick-log-text-2/tick-log-functions.ts'

const STATEMENTS = [
  `-- Both follow from the text, so no writer can state them wrongly.
  alter table tick_batch
    add column form int2 not null generated always as (case when payload like '2 l%' then 2 else 1 end) stored,
    add column is_late boolean not null generated always as (payload like '2 late %') stored`,
  `-- Headers where they change, and lines without a place. Null for batches of text 1.
  alter table tick_pack add column headers text[], add column notes text[]`,
  ...TICK_LOG_FUNCTIONS,
]

/** Text 2 of the tick log: the source configuration, the numbers of providers, and the trades that made no price. */
export const tickLogText2: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
