import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const REFUSED = `using errcode = 'check_violation'`

const COLUMNS = [
  `-- How the user confirmed a request. Null for requests from before it was recorded.
  alter table withdrawal add column confirmed_by text check (confirmed_by in ('pin', 'code', 'none'))`,
  `alter table staff drop constraint staff_role_check, add constraint staff_role_check
    check (role in ('owner', 'finance', 'support', 'markets', 'content', 'compliance'))`,
  `-- When the account was last recovered. The database writes it with the end of a recovery.
  alter table app_user add column recovered_ms int8`,
]

const TABLE = [
  `-- A user who lost the second step, the contacts or the PIN gets new ones. One staff member asks, another one confirms, and
  -- then the user's old contacts have time to stop it.
  create table account_recovery (
    user_id uuid not null references app_user,
    id uuid not null,
    lost text[] not null,
    -- The email address that replaces lost contacts.
    new_address text,
    words text not null,
    -- References of deposits that the user named.
    deposits text[] not null,
    content_hash text not null,
    asked_by uuid not null references staff,
    asked_ms int8 not null,
    asked_from text not null,
    state text not null default 'asked',
    confirmed_by uuid references staff,
    confirmed_ms int8,
    mark text not null default '',
    opens_ms int8,
    -- All addresses of the user when it was confirmed. The database writes them.
    contacts jsonb,
    link_hash bytea,
    link_until_ms int8,
    ended_by text not null default '',
    ended_ms int8,
    primary key (user_id, id),
    constraint account_recovery_state_check check (state in ('asked', 'waiting', 'done', 'stopped')),
    constraint account_recovery_lost_check check (
      cardinality(lost) > 0 and lost <@ array['second_step', 'contact', 'pin']
      and ('contact' = any(lost)) = (new_address is not null)),
    constraint account_recovery_ended_check check ((state in ('done', 'stopped')) = (ended_ms is not null)),
    constraint account_recovery_confirmed_check check (
      (confirmed_ms is null) = (confirmed_by is null) and (confirmed_ms is null) = (opens_ms is null)
      and (state not in ('waiting', 'done') or coalesce(opens_ms > confirmed_ms, false))),
    constraint account_recovery_link_check check (
      (link_hash is null) = (link_until_ms is null) and (link_until_ms is null or coalesce(link_until_ms > opens_ms, false))),
    -- One person alone never sends the link to another address.
    constraint account_recovery_two_check check (new_address is null or confirmed_by <> asked_by),
    constraint account_recovery_done_check check (
      state <> 'done' or coalesce(ended_ms between opens_ms and link_until_ms, false))
  )`,
  `create unique index account_recovery_open on account_recovery (user_id) where state in ('asked', 'waiting')`,
  `create index account_recovery_newest on account_recovery (asked_ms desc, id desc)`,
  `create index account_recovery_link on account_recovery (link_hash) where state = 'waiting'`,
]

const RULES = [
  `create function check_account_recovery() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if tg_op = 'INSERT' then
      if new.state <> 'asked' then
        raise exception 'account_recovery: it has to be confirmed first' ${REFUSED};
      end if;
      return new;
    end if;
    if old.state in ('done', 'stopped') then
      raise exception 'account_recovery: it has ended' ${REFUSED};
    end if;
    if new.state <> old.state and (old.state, new.state) not in
        (('asked', 'waiting'), ('asked', 'stopped'), ('waiting', 'done'), ('waiting', 'stopped')) then
      raise exception 'account_recovery: no such step' ${REFUSED};
    end if;
    if old.confirmed_by is not null and (new.confirmed_by, new.confirmed_ms, new.opens_ms)
        is distinct from (old.confirmed_by, old.confirmed_ms, old.opens_ms) then
      raise exception 'account_recovery: it is confirmed once' ${REFUSED};
    end if;
    if old.state = 'asked' and new.state = 'waiting' then
      select jsonb_agg(distinct contact) into new.contacts from app_user u,
        unnest(array[u.email, nullif(u.proven_email, lower(u.email)), nullif(u.mobile_code || u.mobile, ''), u.proven_mobile]) as contact
        where u.id = new.user_id and contact is not null;
    end if;
    return new;
  end $$`,
  `create trigger account_recovery_checked before insert or update on account_recovery
    for each row execute function check_account_recovery()`,
  addNoticeKind('recovery_begun'),
  addNoticeKind('recovery_stopped'),
  addNoticeKind('recovery_done'),
  `-- Tells all contacts that the user had before. The end of a recovery pauses withdrawals, whatever the server does.
  create function account_recovery_takes_step() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    if new.state = 'done' then
      update app_user set recovered_ms = new.ended_ms where id = new.user_id;
    end if;
    -- A request that was not confirmed has told nobody.
    if old.state = 'waiting' or new.state = 'waiting' then
      perform tell(new.user_id, case new.state when 'waiting' then 'recovery_begun' else 'recovery_' || new.state end,
        new.id::text, jsonb_build_object('until_ms', case new.state when 'waiting' then new.opens_ms end,
          'recovery', new.id, 'numbers', new.contacts), coalesce(new.ended_ms, new.confirmed_ms));
    end if;
    return null;
  end $$`,
  `create trigger account_recovery_step after update of state on account_recovery for each row
    when (old.state <> new.state) execute function account_recovery_takes_step()`,
]

/** Recovery of an account by two staff members, and how a withdrawal was confirmed. */
export const recovery: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...TABLE, ...RULES]) await sql.raw(statement).execute(db)
  },
}
