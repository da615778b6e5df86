import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`

const CONTACTS = [
  `-- The contacts that the notice has reached: 0 stands for the main contact, 1 for the first of the further contacts
  -- that the notice names, 2 for the second.
  alter table notice_delivery add column contact_nos int4[] not null default '{}'`,
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

const BREAKS = [
  `-- As before. A time-out can end while an exclusion lasts, because an exclusion ends only with the return from it. The
  -- notice then says that trading stays closed.
  create or replace function tell_over_breaks() returns void language plpgsql security definer
  set search_path from current as $$
  declare
    past self_break%rowtype;
  begin
    for past in select * from self_break b where until_ms between ${NOW} - 604800000 and ${NOW}
      and not exists (select from self_break l where l.user_id = b.user_id and l.until_ms > b.until_ms)
      and not exists (
        select from notice n where n.user_id = b.user_id and n.kind = 'break_over' and n.subject = b.id::text)
    loop
      perform tell(past.user_id, 'break_over', past.id::text, jsonb_build_object('break', case
        when exists (select from break_of(past.user_id) where kind = 'exclusion') then 'exclusion'
        when past.kind = 'exclusion' then 'returned' else past.kind end), past.until_ms);
    end loop;
  end $$`,
  `-- As before, but not while a time-out lasts: its end is told when it comes.
  create or replace function tell_self_return_update() returns trigger language plpgsql security definer
  set search_path from current as $$
  begin
    if not exists (select from break_of(new.user_id)) then
      perform tell(new.user_id, 'break_over', new.break_id || ' returned', jsonb_build_object('break', 'returned'),
        new.confirmed_ms);
    end if;
    return null;
  end $$`,
]

/**
 * A notice is sent until it has reached each of its contacts, and knows which of them its user had proven. The notice
 * about the end of a break says whether trading is open.
 */
export const sureNotices: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...CONTACTS, ...BREAKS]) await sql.raw(statement).execute(db)
  },
}
