import { type Kysely, type Migration, sql } from 'kysely'

/** Notices tell users whether a PIN or payment details were stored for the first time. */
export const firstDetails: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create or replace function tell_security_change(of_user uuid, what text, at int8, numbers jsonb) returns void
        language plpgsql security definer set search_path from current as $$
        begin
          if what not in ('password', 'authenticator_on', 'authenticator_off', 'passkey_added', 'passkey_removed',
              'recovery_used', 'recovery_renewed', 'username', 'mobile', 'pin', 'pin_set', 'payment_details',
              'payment_details_set') then
            raise exception 'tell_security_change: unknown change' using errcode = 'check_violation';
          end if;
          perform tell(of_user, 'security_changed', what || ' ' || at, jsonb_build_object('what', what, 'numbers', numbers), at);
        end $$`,
      )
      .execute(db)
  },
}
