import { type Kysely, type Migration, sql } from 'kysely'

/**
 * When servers ran, and how each run ended: a silent run that was not stopped has crashed. A server writes its row once a second, which
 * also shows that the database can write.
 */
export const serverRuns: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create table server_run (
    run uuid primary key,
    name text not null,
    started_ms int8 not null,
    seen_ms int8 not null,
    stopped_ms int8
  ) with (fillfactor = 50)`,
]
