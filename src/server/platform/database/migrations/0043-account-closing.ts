import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const REFUSED = `using errcode = 'check_violation'`

const TABLES = [
  `-- Users who close their account. The database sets the times. A request ends once: cancelled by the user within 14 days,
  -- or with the erasing.
  create table account_closing (
    user_id uuid not null references app_user,
    id uuid not null,
    asked_ms int8 not null,
    erase_ms int8 not null,
    reason text not null default '' check (char_length(reason) <= 500),
    state text not null default 'closing' check (state in ('closing', 'cancelled', 'erased')),
    ended_ms int8,
    primary key (user_id, id),
    check ((state = 'closing') = (ended_ms is null))
  )`,
  `create unique index account_closing_running on account_closing (user_id) where state <> 'cancelled'`,
  `create index account_closing_due on account_closing (erase_ms) where state = 'closing'`,
  `-- Users whose data is erased. Only erase_account writes it.
  create table erased_account (user_id uuid primary key references app_user, erased_ms int8 not null)`,
]

const RULES = [
  `create function check_account_closing() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform lock_self_rules(new.user_id);
    if tg_op = 'INSERT' then
      new.asked_ms := ${NOW};
      new.erase_ms := new.asked_ms + 1209600000;
      new.state := 'closing';
      new.ended_ms := null;
      return new;
    end if;
    new.ended_ms := ${NOW};
    if old.state <> 'closing' then
      raise exception 'account_closing: it has ended' ${REFUSED};
    end if;
    if new.state = 'erased' and not exists (select from erased_account where user_id = new.user_id) then
      raise exception 'account_closing: nothing is erased' ${REFUSED};
    end if;
    if new.state = 'cancelled' and (new.ended_ms >= old.erase_ms
        or exists (select from break_of(new.user_id) b where b.kind = 'exclusion' and b.until_ms > new.ended_ms)) then
      raise exception 'account_closing: it stays' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger account_closing_checked before insert or update of state on account_closing
    for each row execute function check_account_closing()`,
  `-- As before. A closing account is closed to orders and deposits without an end.
  create or replace function self_rules_of(of_user uuid) returns table (stake_max int8, loss_day int8, loss_week int8,
    loss_month int8, staked_day int8, staked_week int8, staked_month int8, of_orders boolean, closed_until_ms int8)
  language sql stable as $$
    select max(amount) filter (where key = 'stake_max'),
      max(amount) filter (where key = 'loss_day'), max(amount) filter (where key = 'loss_week'),
      max(amount) filter (where key = 'loss_month'), max(amount) filter (where key = 'staked_day'),
      max(amount) filter (where key = 'staked_week'), max(amount) filter (where key = 'staked_month'),
      count(*) filter (where key not like 'deposit%' and key not in ('reality_check', 'withdrawal_lock')) > 0,
      case when exists (select from account_closing c where c.user_id = of_user and c.state <> 'cancelled')
        then 4611686018427387904
        else (select case kind when 'exclusion' then 4611686018427387904 else until_ms end from break_of(of_user)) end
    from self_limit where user_id = of_user
  $$`,
  `create trigger account_closing_reaches_balances after insert or update of state on account_closing
    for each row execute function self_rules_reach_balances()`,
  `create function end_keys_of_closing() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform end_keys(new.user_id, 'left');
    return null;
  end $$`,
  `create trigger end_keys_of_closing after insert on account_closing
    for each row execute function end_keys_of_closing()`,
  `create trigger end_price_alerts_of_closing after insert on account_closing
    for each row execute function end_price_alerts()`,
  `-- Money that was on its way arrives. No new deposit begins.
  create function check_deposit_of_closing() returns trigger language plpgsql as $$
  begin
    if exists (select from account_closing c where c.user_id = new.user_id and c.state <> 'cancelled') then
      raise exception 'deposit: the account is being closed' ${REFUSED};
    end if;
    return new;
  end $$`,
  `create trigger deposit_not_while_closing before insert on deposit
    for each row execute function check_deposit_of_closing()`,
  `-- What has to end before an account can be erased.
  create function account_obstacles(of_user uuid)
  returns table (open_orders int4, withdrawals int4, deposits int4, decisions int4, cash int8, withdrawing int8)
  language sql stable as $$
    select b.open_orders,
      (select count(*)::int4 from withdrawal w where w.user_id = of_user and w.status = 2),
      (select count(*)::int4 from deposit d where d.user_id = of_user and d.status = 2),
      (select count(*)::int4 from correction c where c.user_id = of_user and c.state in ('waiting', 'announced', 'disputed'))
        + (select count(*)::int4 from made_good m where m.user_id = of_user and m.paid_ms is null),
      b.cash, b.withdrawing
    from balance b where b.user_id = of_user
  $$`,
]

const LEAVES = [
  `-- A leave of a blocked user closes the account for ever. It is erased as any other.
  create function end_of_leave() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform tell(new.user_id, 'leave_closed', new.id::text, '{}', new.ended_ms);
    -- A payment that comes back can make the user leave once more.
    insert into account_closing (user_id, id) values (new.user_id, new.id) on conflict do nothing;
    return null;
  end $$`,
  `create trigger leave_closes_account after update of state on user_leave for each row
    when (old.state = 'open' and new.state = 'closed') execute function end_of_leave()`,
  `insert into account_closing (user_id, id)
    select distinct on (user_id) user_id, id from user_leave where state = 'closed' order by user_id, ended_ms`,
  `-- As before. Credits also lapse when an account is erased.
  create or replace function check_lapsed_credits() returns trigger
  language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from user_leave l where l.id = new.ref and l.user_id = new.user_id
        and l.state = 'closed' and l.ended_ms = new.created_ms)
      and not exists (select from account_closing c where c.id = new.ref and c.user_id = new.user_id and c.state = 'erased') then
      raise exception 'transfer: the user has not left' ${REFUSED};
    end if;
    return null;
  end $$`,
]

const NOTICES = [
  addNoticeKind('closing_begun'),
  addNoticeKind('leave_closed'),
  `create function tell_closing() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    -- A blocked user who left gets the notice of the leave.
    if exists (select from user_leave where user_id = new.user_id and id = new.id) then return null; end if;
    perform tell(new.user_id, 'closing_begun', new.id::text, jsonb_build_object('until_ms', new.erase_ms), new.asked_ms);
    return null;
  end $$`,
  `create trigger tell_closing after insert on account_closing for each row execute function tell_closing()`,
]

/** Users close their account, and can cancel that for 14 days. */
export const accountClosing: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...RULES, ...LEAVES, ...NOTICES]) {
      await sql.raw(statement).execute(db)
    }
  },
}
