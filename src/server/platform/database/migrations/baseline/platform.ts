import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Services without business rules. */
export const platform: BaselineRoom = {
  tables: [
    `-- Counts tries by key, for every limit.
    create table attempt (
      key text primary key,
      count int4 not null,
      window_start_ms int8 not null,
      locked_until_ms int8 not null default 0
    )`,
    `-- The key with which servers sign their messages to each other. A sender that has only the bus cannot sign.
    create table bus_key (
      id int4 primary key,
      secret bytea not null,
      constraint bus_key_id_check check (id = 1),
      constraint bus_key_secret_check check (length(secret) = 32)
    )`,
    `-- How far the daily totals of a source are counted. Days before closed_until_ms have been compared once more.
    create table day_total_mark (
      source text primary key,
      counted_until_ms int8 not null,
      closed_until_ms int8 not null
    )`,
    `-- Rights that one server holds at a time. The token grows with each change of holder and outdates earlier holders.
    create table lease (
      name text primary key,
      owner text not null,
      token int8 not null,
      until_ms int8 not null,
      constraint lease_token_check check (token > 0)
    ) with (fillfactor=50)`,
    `-- Messages of a demo, which sends neither mail nor SMS.
    create table outbox_message (
      id uuid primary key,
      sent_to text not null,
      kind text not null,
      code text not null,
      text text not null,
      sent_ms int8 not null
    )`,
    `-- The servers of the installation that are alive, with their roles.
    create table server_node (
      run text primary key,
      name text not null,
      roles text[] not null,
      is_on_bus boolean not null,
      seen_ms int8 not null
    )`,
    `-- When servers ran. A server writes its row once a second, which also shows that the database accepts writes. A run
    -- that has neither ended nor been seen lately has crashed.
    create table server_run (
      run uuid primary key,
      name text not null,
      started_ms int8 not null,
      seen_ms int8 not null,
      stopped_ms int8
    ) with (fillfactor=50)`,
    `-- Files of users. The row exists before its file. Unused rows are deleted with their files.
    create table upload (
      user_id uuid not null,
      name text not null,
      purpose text not null,
      media_type text not null,
      size int4 not null,
      in_use boolean not null default false,
      changed_ms int8 not null,
      primary key (user_id, name),
      constraint upload_purpose_check check (purpose in ('receipt', 'profile'))
    )`,
  ],
  indexes: [
    `-- A write under a lease locks this row for key share. With the token in a key, a change of holder waits for that write, and
    -- prolonging the lease does not.
    create unique index lease_token on lease (name, token)`,
    `create index outbox_message_to on outbox_message (sent_to, sent_ms desc)`,
    `create unique index upload_name on upload (name)`,
    `create index upload_unused on upload (changed_ms) where not in_use`,
  ],
  foreignKeys: [`alter table upload add foreign key (user_id) references app_user (id)`],
}
