import { type Kysely, type Migration, sql } from 'kysely'

/** The last computed figures of the fairness page: one row that all servers serve. */
export const fairness: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`create table fairness_figures (
      id int4 primary key check (id = 1),
      computed_ms int8 not null,
      figures jsonb not null
    )`.execute(db)
  },
}
