import { type Kysely, type Migration, sql } from 'kysely'

/** Versions of data that staff edit, so that a stale save is refused. */
export const waysAndSettings: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `alter table gateway add column version int4 not null default 1`,
  `alter table setting add column version int4 not null default 1`,
]
