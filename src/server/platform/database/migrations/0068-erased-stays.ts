import { type Kysely, type Migration, sql } from 'kysely'

const PERSONAL = [
  'username',
  'email',
  'mobile',
  'mobile_code',
  'country_code',
  'firstname',
  'lastname',
  'address',
  'password_hash',
  'pin_hash',
  'image_path',
  'proven_email',
  'proven_mobile',
]
const CHANGES = `(${PERSONAL.map((name) => `new.${name}`).join(', ')}) is distinct from (${PERSONAL.map((name) => `old.${name}`).join(', ')})`

const STATEMENTS = [
  `-- A change that waited for the erasing of its account must not write personal data back. Only erase_account itself
  -- changes the data of an erased account, in the transaction that adds the row of erased_account.
  create function keep_erased() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if exists (select from erased_account where user_id = new.id and xmin <> pg_current_xact_id()::xid) then
      raise exception 'app_user: the account is erased' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger app_user_erased before update of ${PERSONAL.join(', ')} on app_user
    for each row when (${CHANGES}) execute function keep_erased()`,
]

/** The personal data of an erased account stays erased. */
export const erasedStays: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
