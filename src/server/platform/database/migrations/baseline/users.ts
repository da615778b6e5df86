import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Users, sessions and second factors. */
export const users: BaselineRoom = {
  tables: [
    `-- User accounts. verified is ev of the specification. trade_allowed has a reason that the user reads. Limits of null are those
    -- of everyone. proven_email and proven_mobile are the addresses that this account proved.
    create table app_user (
      id uuid primary key,
      username text not null,
      email text,
      mobile text not null,
      mobile_code text not null default '',
      country_code text not null default '',
      firstname text not null default '',
      lastname text not null default '',
      address jsonb not null default '{}',
      password_hash text not null,
      pin_hash text,
      image_path text,
      language text not null default 'en',
      invitation_code text,
      verified boolean not null default false,
      trade_allowed boolean not null default true,
      trade_reason text not null default '',
      is_bot boolean not null default false,
      created_ms int8 not null,
      pin_changed_ms int8,
      version int4 not null default 1,
      sign_in_blocked boolean not null default false,
      sign_in_reason text not null default '',
      withdrawals_allowed boolean not null default true,
      withdrawals_reason text not null default '',
      max_stake int8,
      max_open_stake int8,
      security_changed_ms int8,
      proven_email text,
      proven_mobile text,
      verification_reason text not null default '',
      constraint app_user_max_open_stake_check check (max_open_stake > 0),
      constraint app_user_max_stake_check check (max_stake > 0)
    )`,
    `-- That a code was sent, without the code. The address is masked.
    create table code_sent (
      user_id uuid not null,
      id uuid not null,
      kind text not null,
      sent_to text not null,
      sent_ms int8 not null,
      primary key (user_id, id)
    )`,
    `-- Browsers from which a user has logged in.
    create table known_device (
      user_id uuid not null,
      token_hash bytea not null,
      created_ms int8 not null,
      seen_ms int8 not null,
      primary key (user_id, token_hash)
    )`,
    `-- Codes are stored hashed, live ten minutes and work once. Wrong tries count across codes of one kind.
    create table one_time_code (
      user_id uuid not null,
      kind text not null,
      code_hash text not null,
      sent_to text not null,
      created_ms int8 not null,
      expires_ms int8 not null,
      primary key (user_id, kind)
    )`,
    `-- Requests for a new password. A code belongs to the request, and so to the browser, that asked for it.
    create table password_reset (
      id uuid primary key,
      request_hash bytea not null,
      link_hash bytea not null,
      address text not null,
      code_hash text not null,
      created_ms int8 not null,
      code_expires_ms int8 not null,
      expires_ms int8 not null,
      constraint password_reset_request_hash_key unique (request_hash),
      constraint password_reset_link_hash_key unique (link_hash)
    )`,
    `-- Sessions of users. confirmed_ms: when the user last proved a second factor, or the password where there is none.
    create table session (
      token_hash bytea primary key,
      user_id uuid not null,
      created_ms int8 not null,
      expires_ms int8 not null,
      user_agent text not null default '',
      ip text not null default '',
      seen_ms int8 not null default 0,
      confirmed_ms int8 not null default 0
    )`,
    `-- Log-ins and refused ones. user_id is null for unknown names, which are stored too so that both cost the same work.
    create table sign_in (
      id uuid primary key,
      user_id uuid,
      at_ms int8 not null,
      how text not null,
      went_in boolean not null,
      is_new_device boolean not null default false,
      is_noticed boolean not null default true,
      user_agent text not null,
      address text not null,
      constraint sign_in_how_check check (how in ('password', 'code', 'recovery', 'passkey'))
    )`,
    `-- Authenticator apps. The secret is encrypted. is_on is false until a first code has matched.
    create table user_authenticator (
      user_id uuid primary key,
      secret text not null,
      last_step int8 not null default 0,
      is_on boolean not null default false,
      created_ms int8 not null
    )`,
    `-- Notes of staff about users.
    create table user_note (
      user_id uuid not null,
      id uuid not null,
      staff_id uuid not null,
      text text not null,
      written_ms int8 not null,
      primary key (user_id, id)
    )`,
    `-- Passkeys of users.
    create table user_passkey (
      user_id uuid not null,
      id uuid not null,
      credential_id text not null,
      public_key bytea not null,
      counter int8 not null,
      transports text[] not null,
      name text not null,
      created_ms int8 not null,
      used_ms int8,
      primary key (user_id, id),
      constraint user_passkey_credential_id_key unique (credential_id)
    )`,
    `-- Recovery codes that have not been used.
    create table user_recovery_code (
      user_id uuid not null,
      code_hash bytea not null,
      primary key (user_id, code_hash)
    )`,
    `-- Between two steps of a log-in: who passed the first step, or what a passkey has to sign.
    create table user_ticket (
      token_hash bytea primary key,
      user_id uuid,
      kind text not null,
      challenge text,
      expires_ms int8 not null
    )`,
  ],
  functions: [
    `create function user_note_is_append_only()
 returns trigger
 language plpgsql
as $function$ begin raise exception 'user_note is only ever added to'; end $function$`,
  ],
  indexes: [
    `create unique index app_user_username on app_user (lower(username))`,
    `create index app_user_email on app_user (lower(email))`,
    `create index app_user_mobile on app_user (mobile)`,
    `-- Staff search by the start of a name, mail address or number.
    create index app_user_username_start on app_user (lower(username) text_pattern_ops)`,
    `create index app_user_email_start on app_user (lower(email) text_pattern_ops)`,
    `create index app_user_mobile_start on app_user (mobile text_pattern_ops)`,
    `create index app_user_newest on app_user (created_ms desc, id desc)`,
    `create index app_user_verified on app_user (verified, created_ms desc, id desc)`,
    `create index app_user_bots on app_user (is_bot, created_ms desc, id desc)`,
    `create index app_user_trade_off on app_user (created_ms desc, id desc) where not trade_allowed`,
    `create index app_user_blocked on app_user (created_ms desc, id desc) where sign_in_blocked`,
    `create index app_user_proven_email on app_user (proven_email) where proven_email is not null`,
    `create index app_user_proven_mobile on app_user (proven_mobile) where proven_mobile is not null`,
    `create index code_sent_newest on code_sent (user_id, sent_ms desc, id desc)`,
    `create index known_device_old on known_device (seen_ms)`,
    `create index known_device_token on known_device (token_hash)`,
    `create index password_reset_newest on password_reset (address, created_ms desc, id desc)`,
    `create index password_reset_old on password_reset (expires_ms)`,
    `create index session_by_user on session (user_id)`,
    `create index sign_in_newest on sign_in (user_id, at_ms desc, id desc)`,
    `create index sign_in_old on sign_in (at_ms)`,
    `create index user_note_newest on user_note (user_id, written_ms desc, id desc)`,
    `create index user_ticket_old on user_ticket (expires_ms)`,
    `create index user_ticket_user on user_ticket (user_id)`,
  ],
  foreignKeys: [
    `alter table code_sent add foreign key (user_id) references app_user (id)`,
    `alter table known_device add foreign key (user_id) references app_user (id)`,
    `alter table one_time_code add foreign key (user_id) references app_user (id)`,
    `alter table session add foreign key (user_id) references app_user (id)`,
    `alter table sign_in add foreign key (user_id) references app_user (id)`,
    `alter table user_authenticator add foreign key (user_id) references app_user (id)`,
    `alter table user_note add foreign key (staff_id) references staff (id)`,
    `alter table user_note add foreign key (user_id) references app_user (id)`,
    `alter table user_passkey add foreign key (user_id) references app_user (id)`,
    `alter table user_recovery_code add foreign key (user_id) references app_user (id)`,
    `alter table user_ticket add foreign key (user_id) references app_user (id)`,
  ],
  triggers: [
    `create trigger rights_reach_balances after update of verified, trade_allowed, trade_reason, max_stake, max_open_stake on app_user for each row when ((((((old.verified is distinct from new.verified) or (old.trade_allowed is distinct from new.trade_allowed)) or (old.trade_reason is distinct from new.trade_reason)) or (old.max_stake is distinct from new.max_stake)) or (old.max_open_stake is distinct from new.max_open_stake))) execute function rights_reach_balances()`,
    `create trigger user_note_append_only before delete or update on user_note for each row execute function user_note_is_append_only()`,
  ],
}
