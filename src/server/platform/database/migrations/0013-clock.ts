import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- How far the clocks of servers were ahead of others, once a minute: at least low_ms, at most high_ms.
  create table clock_minute (
    at_ms int8 not null,
    source text not null,
    low_ms int8,
    high_ms int8,
    primary key (at_ms, source),
    constraint clock_minute_bounds_check check (low_ms is not null or high_ms is not null),
    constraint clock_minute_order_check check (low_ms <= high_ms)
  )`,
  `-- Deletes what is 90 days older than the newest row. The register keeps each hour.
  create function drop_clock_minutes() returns void
   language sql
   security definer
   set search_path from current
  as $function$
    delete from clock_minute where at_ms < (select max(at_ms) from clock_minute) - 7776000000
  $function$`,
]

/** Stores the measurements of the servers' clocks. */
export const clock: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
