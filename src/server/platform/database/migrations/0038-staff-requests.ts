import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Calls of staff that moved money or sent something, with their answers. A repeated call gets the first answer.
  create table staff_request (
    staff_id uuid not null references staff,
    request_id text not null check (length(request_id) between 1 and 64),
    content_hash text not null,
    answer text not null,
    at_ms int8 not null,
    primary key (staff_id, request_id)
  )`,
  `create index staff_request_age on staff_request (at_ms)`,
]

/** Calls of staff that are carried out only once, even if a client sends them several times. */
export const staffRequests: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
