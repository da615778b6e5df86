import { type Kysely, type Migration, sql } from 'kysely'

/** Staff members, their sessions, and the first of two approvals. */
export const staff: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // Without a password: invited, but not yet registered. Without a secret: logs in for the first time.
  `create table staff (
    id uuid primary key,
    name text not null,
    role text not null check (role in ('owner', 'finance', 'support', 'markets', 'content')),
    password_hash text,
    totp_secret text,
    totp_last_step int8 not null default 0,
    is_blocked boolean not null default false,
    is_demo boolean not null default false,
    version int4 not null default 1,
    created_ms int8 not null
  )`,
  `create unique index staff_name on staff (lower(name))`,

  `create table staff_session (
    token_hash bytea primary key,
    id uuid not null unique,
    staff_id uuid not null references staff (id),
    created_ms int8 not null,
    seen_ms int8 not null,
    expires_ms int8 not null,
    user_agent text not null default '',
    address text not null default ''
  )`,
  `create index staff_session_by_staff on staff_session (staff_id)`,

  // State between two log-in steps: a sent invitation, or a correct password.
  `create table staff_ticket (
    token_hash bytea primary key,
    staff_id uuid not null references staff (id),
    kind text not null check (kind in ('invitation', 'second_step')),
    totp_secret text,
    expires_ms int8 not null
  )`,

  // The first approval of exactly this content. The row is deleted with the decision.
  `create table first_approval (
    kind text not null,
    subject text not null,
    content_hash text not null,
    staff_id uuid not null references staff (id),
    at_ms int8 not null,
    primary key (kind, subject)
  )`,

  `alter table admin_action add column staff_id uuid`,
  `alter table admin_action add column request_id text not null default ''`,
  `alter table admin_action add column address text not null default ''`,
  `create index admin_action_target on admin_action (target, at_ms desc)`,
]
