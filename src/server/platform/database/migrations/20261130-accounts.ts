import { type Kysely, type Migration, sql } from 'kysely'

/** Users' second steps, passkeys and recovery codes, their devices and log-ins, and encrypted payment details. */
export const accounts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  `alter table session add column seen_ms int8 not null default 0`,
  // When the user last proved a second factor, or the password where there is none.
  `alter table session add column confirmed_ms int8 not null default 0`,
  // When a password or factor was last changed in a way that a thief could exploit.
  `alter table app_user add column security_changed_ms int8`,

  // The encrypted secret. Not enabled: it was shown, but no code was entered yet.
  `create table user_authenticator (
    user_id uuid primary key references app_user (id),
    secret text not null,
    last_step int8 not null default 0,
    is_on boolean not null default false,
    created_ms int8 not null
  )`,
  `create table user_passkey (
    user_id uuid not null references app_user (id),
    id uuid not null,
    credential_id text not null unique,
    public_key bytea not null,
    counter int8 not null,
    transports text[] not null,
    name text not null,
    created_ms int8 not null,
    used_ms int8,
    primary key (user_id, id)
  )`,
  // Used codes are deleted.
  `create table user_recovery_code (
    user_id uuid not null references app_user (id),
    code_hash bytea not null,
    primary key (user_id, code_hash)
  )`,
  // State between two log-in steps: a user who has passed the first one, or a passkey challenge.
  `create table user_ticket (
    token_hash bytea primary key,
    user_id uuid references app_user (id),
    kind text not null,
    challenge text,
    expires_ms int8 not null
  )`,
  `create index user_ticket_old on user_ticket (expires_ms)`,
  `create index user_ticket_user on user_ticket (user_id)`,

  `create table known_device (
    user_id uuid not null references app_user (id),
    token_hash bytea not null,
    created_ms int8 not null,
    seen_ms int8 not null,
    primary key (user_id, token_hash)
  )`,
  `create index known_device_old on known_device (seen_ms)`,

  // Also contains attempts with unknown names, so that both cases cost the same work.
  `create table sign_in (
    id uuid primary key,
    user_id uuid references app_user (id),
    at_ms int8 not null,
    how text not null check (how in ('password', 'code', 'recovery', 'passkey')),
    went_in boolean not null,
    is_new_device boolean not null default false,
    is_noticed boolean not null default true,
    user_agent text not null,
    address text not null
  )`,
  `create index sign_in_newest on sign_in (user_id, at_ms desc, id desc)`,
  `create index sign_in_old on sign_in (at_ms)`,

  // Details are encrypted text from now on. A keyed fingerprint recognises payouts to the same destination.
  `alter table withdrawal add column destination bytea`,
  // Grows when the user changes the payment details: earlier approvals become invalid.
  `alter table withdrawal add column review_version int4 not null default 1`,
  `create index withdrawal_unsealed on withdrawal (user_id, id) where jsonb_typeof(details) <> 'string'`,
  `create index withdrawal_destination on withdrawal (user_id, destination) where status = 1`,
]
