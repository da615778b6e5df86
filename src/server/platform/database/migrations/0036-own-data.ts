import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const STATEMENTS = [
  `-- Copies of a user's own data, made in portions. A server that makes one holds its claim for a minute at a time.
  create table data_export (
    user_id uuid not null references app_user,
    id uuid not null,
    language text not null,
    asked_ms int8 not null default ${NOW},
    ready_ms int8,
    failed_ms int8,
    expires_ms int8,
    claim int4 not null default 0,
    claim_until_ms int8 not null default 0,
    tries int4 not null default 0,
    -- The file that comes next, and the place in it.
    file int4 not null default 0,
    place text,
    portions int4 not null default 0,
    bytes int8 not null default 0,
    primary key (user_id, id)
  )`,
  `create index data_export_waiting on data_export (asked_ms) where ready_ms is null and failed_ms is null`,
  `create table data_export_portion (
    user_id uuid not null,
    export_id uuid not null,
    n int4 not null,
    name text not null,
    -- Encrypted. Binary content is in base64 inside.
    content text not null,
    is_text boolean not null,
    primary key (user_id, export_id, n),
    foreign key (user_id, export_id) references data_export on delete cascade
  )`,
  addNoticeKind('data_ready'),
  `create function tell_data_export() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform tell(new.user_id, 'data_ready', new.id::text, jsonb_build_object('until_ms', new.expires_ms), new.ready_ms);
    return null;
  end $$`,
  `create trigger tell_data_export after update of ready_ms on data_export for each row
    when (old.ready_ms is null and new.ready_ms is not null) execute function tell_data_export()`,
]

/** Copies of the data that the site holds about a user, for the user. */
export const ownData: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
