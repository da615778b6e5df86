import { type Kysely, type Migration, sql } from 'kysely'

/** Uploads of users. A row is written before its file. Unused rows are deleted with their files. */
export const uploads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create table upload (
    user_id uuid not null references app_user (id),
    name text not null,
    purpose text not null check (purpose in ('receipt', 'profile')),
    media_type text not null,
    size int4 not null,
    in_use boolean not null default false,
    changed_ms int8 not null,
    primary key (user_id, name)
  )`,
  `create unique index upload_name on upload (name)`,
  `create index upload_unused on upload (changed_ms) where not in_use`,
  // By label, like the values of the other fields.
  `alter table deposit add column files jsonb not null default '{}'`,
  `alter table deposit add column client_request_id text`,
  `create unique index deposit_client on deposit (user_id, client_request_id)`,
]
