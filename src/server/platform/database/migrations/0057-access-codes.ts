import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- Codes that allow a sign-up while the site requires one. Stored in capitals.
  create table access_code (
    id uuid primary key,
    code text not null unique check (code = upper(code) and length(code) between 1 and 80),
    label text not null,
    -- Null: any number.
    max_uses int4 check (max_uses > 0),
    used int4 not null default 0,
    from_ms int8 not null,
    until_ms int8 check (until_ms > from_ms),
    -- Empty: all countries.
    countries text[] not null,
    is_on boolean not null,
    created_by text not null,
    created_ms int8 not null,
    version int4 not null,
    check (used between 0 and coalesce(max_uses, used))
  )`,
  `create index access_code_created on access_code (created_ms, id)`,
  `-- With which code a user signed up.
  create table access_code_use (
    user_id uuid primary key references app_user,
    code_id uuid not null references access_code,
    used_ms int8 not null
  )`,
  `create index access_code_use_code on access_code_use (code_id)`,
  `-- The codes of the former setting have no limits.
  insert into access_code (id, code, label, from_ms, countries, is_on, created_by, created_ms, version)
  select gen_random_uuid(), code, '', 0, '{}', true, 'settings', (extract(epoch from clock_timestamp()) * 1000)::int8, 1
  from (
    select distinct upper(trim(one)) as code from setting, jsonb_array_elements_text(value::jsonb) one
    where key = 'invitation_codes'
  ) listed
  where length(code) between 1 and 80`,
  `insert into access_code_use (user_id, code_id, used_ms)
  select u.id, c.id, u.created_ms from app_user u join access_code c on c.code = upper(trim(u.invitation_code))`,
  `update access_code c set used = (select count(*) from access_code_use u where u.code_id = c.id)`,
  `delete from setting where key = 'invitation_codes'`,
]

/** Access codes as records with limits, in place of a list in the settings. */
export const accessCodes: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
