import { type Kysely, type Migration, sql } from 'kysely'

/**
 * Addresses that an account has verified: only these receive codes for a new password. Such codes are bound to the request, and so to the
 * browser that sent it.
 */
export const provenAddresses: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // The mail address in lower case, and the number with its country code, as codes are sent to it.
  `alter table app_user add column proven_email text, add column proven_mobile text`,
  `update app_user set proven_email = lower(email) where verified and email is not null`,
  `update app_user set proven_mobile = mobile_code || mobile where verified and email is null`,
  `create index app_user_proven_email on app_user (proven_email) where proven_email is not null`,
  `create index app_user_proven_mobile on app_user (proven_mobile) where proven_mobile is not null`,

  `create table password_reset (
    id uuid primary key,
    request_hash bytea not null unique,
    link_hash bytea not null unique,
    address text not null,
    code_hash text not null,
    created_ms int8 not null,
    code_expires_ms int8 not null,
    expires_ms int8 not null
  )`,
  `create index password_reset_newest on password_reset (address, created_ms desc, id desc)`,
  `create index password_reset_old on password_reset (expires_ms)`,
  `delete from one_time_code where kind = 'reset_password'`,

  `create index known_device_token on known_device (token_hash)`,
  `create table staff_device (
    staff_id uuid not null references staff (id),
    token_hash bytea not null,
    seen_ms int8 not null,
    primary key (staff_id, token_hash)
  )`,
  `create index staff_device_token on staff_device (token_hash)`,
  `create index staff_device_old on staff_device (seen_ms)`,
]
