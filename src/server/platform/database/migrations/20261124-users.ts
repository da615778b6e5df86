import { type Kysely, type Migration, sql } from 'kysely'

/** Staff functions for users: blocks, limits, notes, and balance adjustments with two approvals. */
export const users: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Counts changes by staff only, not those by the user.
  `alter table app_user add column version int4 not null default 1`,
  `alter table app_user add column sign_in_blocked boolean not null default false`,
  `alter table app_user add column sign_in_reason text not null default ''`,
  `alter table app_user add column withdrawals_allowed boolean not null default true`,
  `alter table app_user add column withdrawals_reason text not null default ''`,
  // Limits only restrict new orders and payments. Null: the general limit applies.
  `alter table app_user add column max_stake int8 check (max_stake > 0)`,
  `alter table app_user add column max_open_stake int8 check (max_open_stake > 0)`,

  // For searches by the beginning of a name, mail address or number, and lists with the newest first.
  `create index app_user_username_start on app_user (lower(username) text_pattern_ops)`,
  `create index app_user_email_start on app_user (lower(email) text_pattern_ops)`,
  `create index app_user_mobile_start on app_user (mobile text_pattern_ops)`,
  `create index app_user_newest on app_user (created_ms desc, id desc)`,
  `create index app_user_verified on app_user (verified, created_ms desc, id desc)`,
  `create index app_user_bots on app_user (is_bot, created_ms desc, id desc)`,
  `create index app_user_trade_off on app_user (created_ms desc, id desc) where not trade_allowed`,
  `create index app_user_blocked on app_user (created_ms desc, id desc) where sign_in_blocked`,

  // Records that a code was sent, but not the code. The address is stored masked.
  `create table code_sent (
    user_id uuid not null references app_user (id),
    id uuid not null,
    kind text not null,
    sent_to text not null,
    sent_ms int8 not null,
    primary key (user_id, id)
  )`,
  `create index code_sent_newest on code_sent (user_id, sent_ms desc, id desc)`,

  `create table user_note (
    user_id uuid not null references app_user (id),
    id uuid not null,
    staff_id uuid not null references staff (id),
    text text not null,
    written_ms int8 not null,
    primary key (user_id, id)
  )`,
  `create index user_note_newest on user_note (user_id, written_ms desc, id desc)`,
  `create function user_note_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'user_note is only ever added to'; end $$`,
  `create trigger user_note_append_only before update or delete on user_note
    for each row execute function user_note_is_append_only()`,

  // The hash of the requested content. If the content changes afterwards, the adjustment can only be rejected.
  `create table correction (
    user_id uuid not null references app_user (id),
    id uuid not null unique,
    amount int8 not null check (amount <> 0),
    reason text not null,
    content_hash text not null,
    state text not null check (state in ('waiting', 'posted', 'rejected')),
    asked_by uuid not null references staff (id),
    asked_ms int8 not null,
    decided_by uuid references staff (id) check (decided_by <> asked_by),
    decided_ms int8 check ((decided_ms is null) = (state = 'waiting')),
    words text not null default '',
    primary key (user_id, id)
  )`,
  `create index correction_newest on correction (asked_ms desc, id desc)`,
  `create index correction_state on correction (state, asked_ms desc, id desc)`,
  `create index correction_user on correction (user_id, asked_ms desc, id desc)`,
]
