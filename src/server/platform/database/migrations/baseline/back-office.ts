import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** The accounts, sessions and changes of staff. */
export const backOffice: BaselineRoom = {
  tables: [
    `-- Daily totals of the dashboard, counted once.
    create table day_total (
      day int4 not null,
      kind text not null,
      is_bot boolean not null,
      count int8 not null,
      amount int8 not null,
      result int8 not null,
      primary key (day, kind, is_bot),
      constraint day_total_kind_check check (kind in ('crypto', 'us_stocks', 'us_fx', 'deposit', 'withdrawal', 'account'))
    )`,
    `-- Staff members.
    create table staff (
      id uuid primary key,
      name text not null,
      role text not null,
      password_hash text,
      totp_secret text,
      totp_last_step int8 not null default 0,
      is_blocked boolean not null default false,
      is_demo boolean not null default false,
      version int4 not null default 1,
      created_ms int8 not null,
      constraint staff_role_check check (role in ('owner', 'finance', 'support', 'markets', 'content'))
    )`,
    `-- Browsers from which a staff member has logged in.
    create table staff_device (
      staff_id uuid not null,
      token_hash bytea not null,
      seen_ms int8 not null,
      primary key (staff_id, token_hash)
    )`,
    `-- Sessions of staff.
    create table staff_session (
      token_hash bytea primary key,
      id uuid not null,
      staff_id uuid not null,
      created_ms int8 not null,
      seen_ms int8 not null,
      expires_ms int8 not null,
      user_agent text not null default '',
      address text not null default '',
      constraint staff_session_id_key unique (id)
    )`,
    `-- Between two steps of a staff log-in: an invitation that was sent, or a password that was right.
    create table staff_ticket (
      token_hash bytea primary key,
      staff_id uuid not null,
      kind text not null,
      totp_secret text,
      expires_ms int8 not null,
      constraint staff_ticket_kind_check check (kind in ('invitation', 'second_step'))
    )`,
  ],
  indexes: [
    `create unique index staff_name on staff (lower(name))`,
    `create index staff_device_token on staff_device (token_hash)`,
    `create index staff_device_old on staff_device (seen_ms)`,
    `create index staff_session_by_staff on staff_session (staff_id)`,
  ],
  foreignKeys: [
    `alter table staff_device add foreign key (staff_id) references staff (id)`,
    `alter table staff_session add foreign key (staff_id) references staff (id)`,
    `alter table staff_ticket add foreign key (staff_id) references staff (id)`,
  ],
}
