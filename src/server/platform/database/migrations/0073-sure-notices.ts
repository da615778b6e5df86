import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `-- The contacts that the notice has reached: 0 stands for the main contact, 1 for the first of the further contacts
  -- that the notice names, 2 for the second.
  alter table notice_delivery add column told int4[] not null default '{}'`,
  `-- As before. A notice about a new phone number also names the number that the user had proven until then, because a
  -- message to a proven number has limits that strangers cannot use up.
  create or replace function tell_security_change(of_user uuid, what text, at int8, numbers jsonb) returns void
  language plpgsql security definer set search_path from current as $$
  begin
    if what not in ('password', 'authenticator_on', 'authenticator_off', 'passkey_added', 'passkey_removed',
        'recovery_used', 'recovery_renewed', 'username', 'mobile', 'pin', 'pin_set', 'payment_details',
        'payment_details_set') then
      raise exception 'tell_security_change: unknown change' using errcode = 'check_violation';
    end if;
    perform tell(of_user, 'security_changed', what || ' ' || at, jsonb_build_object('what', what, 'numbers', numbers,
      'proven', (select proven_mobile from app_user where id = of_user and numbers @> to_jsonb(proven_mobile))), at);
  end $$`,
]

/** Remembers which contacts a notice has reached, and which of them its user had proven. */
export const toldContacts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
