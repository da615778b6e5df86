import { type Kysely, type Migration, sql } from 'kysely'

/** The append-only log of operator actions, and an index of deposits by reference. */
export const operator: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `create table admin_action (
    id uuid primary key,
    at_ms int8 not null,
    who text not null,
    what text not null,
    target text not null default '',
    reason text not null default '',
    outcome text not null check (outcome in ('looked', 'done', 'refused', 'failed')),
    before jsonb,
    after jsonb
  )`,
  `create index admin_action_at on admin_action (at_ms desc)`,
  `create function admin_action_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'admin_action is only ever added to'; end $$`,
  `create trigger admin_action_append_only before update or delete on admin_action
    for each row execute function admin_action_is_append_only()`,
  `create unique index deposit_trx on deposit (trx)`,
]
