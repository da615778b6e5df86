import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Times in which the site takes no orders from anyone. A pause has no planned end.
  create table maintenance (
    id uuid primary key,
    from_ms int8 not null,
    to_ms int8,
    words text not null,
    who text not null,
    announced_ms int8 not null,
    -- When staff cancelled or ended it.
    ended_ms int8,
    -- Users learn of a planned one 10 minutes before it.
    constraint maintenance_notice_check check (from_ms >= announced_ms + case when to_ms is null then 0 else 600000 end),
    constraint maintenance_end_check check (to_ms > from_ms),
    constraint maintenance_words_check check (words <> '')
  )`,
  `create index maintenance_by_time on maintenance (from_ms, id)`,
]

/** Planned maintenance and pauses of trading. */
export const maintenance: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
