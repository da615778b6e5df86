import { type Kysely, type Migration, sql } from 'kysely'

/** The columns of accounts and balances that only the database writes. */
const COLUMNS = [
  `alter table app_user
    add column max_stake_reason text not null default '',
    add column max_open_stake_reason text not null default ''`,
  `alter table balance
    add column max_stake_reason text not null default '',
    add column max_open_stake_reason text not null default ''`,
  `create or replace function balance_has_rights() returns trigger
   language plpgsql security definer set search_path from current as $$
  begin
    select u.verified and u.trade_allowed, u.verified, u.trade_reason, u.max_stake, u.max_open_stake,
        u.max_stake_reason, u.max_open_stake_reason
      into new.may_trade, new.verified, new.trade_reason, new.max_stake, new.max_open_stake,
        new.max_stake_reason, new.max_open_stake_reason
      from app_user u where u.id = new.user_id for share;
    return new;
  end $$`,
  `create or replace function rights_reach_balances() returns trigger
   language plpgsql security definer set search_path from current as $$
  begin
    update balance
      set may_trade = new.verified and new.trade_allowed, verified = new.verified, trade_reason = new.trade_reason,
        max_stake = new.max_stake, max_open_stake = new.max_open_stake,
        max_stake_reason = new.max_stake_reason, max_open_stake_reason = new.max_open_stake_reason
      where user_id = new.id;
    return null;
  end $$`,
  `drop trigger rights_reach_balances on app_user`,
  `create trigger rights_reach_balances
    after update of verified, trade_allowed, trade_reason, max_stake, max_open_stake, max_stake_reason, max_open_stake_reason
    on app_user for each row when (
      (old.verified, old.trade_allowed, old.trade_reason, old.max_stake, old.max_open_stake, old.max_stake_reason,
        old.max_open_stake_reason)
      is distinct from
      (new.verified, new.trade_allowed, new.trade_reason, new.max_stake, new.max_open_stake, new.max_stake_reason,
        new.max_open_stake_reason))
    execute function rights_reach_balances()`,
]

const MEASURES = [
  `-- What staff set against one user. Only its end is written later, or a second person's agreement to a longer one.
  create table user_measure (
    id uuid primary key,
    user_id uuid not null references app_user,
    kind text not null,
    value int8,
    reason text not null,
    since_ms int8 not null,
    until_ms int8,
    asked_by uuid references staff,
    second_by uuid references staff,
    ended_ms int8,
    -- Whether the results of the user's last 90 days summed to more than zero when it began.
    was_ahead boolean not null default false,
    constraint user_measure_kind_check
      check (kind in ('trade_off', 'stake_limit', 'open_limit', 'withdrawals_off', 'sign_in_off')),
    constraint user_measure_value_check
      check ((value is not null) = (kind in ('stake_limit', 'open_limit')) and (value is null or value > 0)),
    constraint user_measure_reason_check check (char_length(btrim(reason)) between 1 and 500),
    constraint user_measure_end_check check (ended_ms >= since_ms)
  )`,
  `create unique index user_measure_running on user_measure (user_id, kind) where ended_ms is null`,
  `create index user_measure_user on user_measure (user_id, since_ms desc, id desc)`,
  `create index user_measure_due on user_measure (until_ms) where ended_ms is null`,
  `create index user_measure_ended on user_measure (ended_ms)`,
  `create function check_user_measure() returns trigger language plpgsql as $$
  declare
    is_off boolean := new.kind in ('trade_off', 'withdrawals_off', 'sign_in_off');
    is_live boolean := coalesce((select mode = 'live' from log_identity order by log limit 1), false);
    today int4 := (new.since_ms / 86400000)::int4;
  begin
    if tg_op = 'INSERT' then
      if new.ended_ms is not null or new.second_by is not null then
        raise exception 'user_measure: begins without an end or a second person' using errcode = 'check_violation';
      end if;
      if not is_off and (new.until_ms is null or new.until_ms > new.since_ms + 7776000000) then
        raise exception 'user_measure: a limit ends within 90 days' using errcode = 'check_violation';
      end if;
      if is_off and is_live and (new.until_ms is null or new.until_ms > new.since_ms + 259200000) then
        raise exception 'user_measure: one person sets it for 72 hours' using errcode = 'check_violation';
      end if;
      select coalesce(sum(result), 0) > 0 into new.was_ahead from fairness_user
        where user_id = new.user_id and day = any (array(select generate_series(today - 89, today)));
      return new;
    end if;
    if old.ended_ms is not null then
      raise exception 'user_measure: it has ended' using errcode = 'check_violation';
    end if;
    if new.second_by is distinct from old.second_by
        and (not is_off or old.second_by is not null or new.second_by is null or new.second_by = old.asked_by) then
      raise exception 'user_measure: another second person' using errcode = 'check_violation';
    end if;
    if new.until_ms is distinct from old.until_ms and (case
        when not is_off then new.until_ms is null or new.until_ms > old.until_ms + 7776000000
        when new.second_by is not distinct from old.second_by then true
        when new.kind = 'withdrawals_off' then new.until_ms is null or new.until_ms > old.until_ms + 1209600000
        else new.until_ms is not null end) then
      raise exception 'user_measure: it ends earlier' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger user_measure_checked before insert or update on user_measure
    for each row execute function check_user_measure()`,
  `-- Copies the measures in force to the account, and from there to its balances.
  create function measures_reach_account() returns trigger
   language plpgsql security definer set search_path from current as $$
  begin
    update app_user u set
        trade_allowed = m.trade_off is null, trade_reason = coalesce(m.trade_off, ''),
        sign_in_blocked = m.sign_in_off is not null, sign_in_reason = coalesce(m.sign_in_off, ''),
        withdrawals_allowed = m.withdrawals_off is null, withdrawals_reason = coalesce(m.withdrawals_off, ''),
        max_stake = m.stake, max_stake_reason = coalesce(m.stake_reason, ''),
        max_open_stake = m.open_stake, max_open_stake_reason = coalesce(m.open_stake_reason, '')
      from (
        select max(reason) filter (where kind = 'trade_off') as trade_off,
          max(reason) filter (where kind = 'sign_in_off') as sign_in_off,
          max(reason) filter (where kind = 'withdrawals_off') as withdrawals_off,
          max(value) filter (where kind = 'stake_limit') as stake,
          max(reason) filter (where kind = 'stake_limit') as stake_reason,
          max(value) filter (where kind = 'open_limit') as open_stake,
          max(reason) filter (where kind = 'open_limit') as open_stake_reason
        from user_measure where user_id = new.user_id and ended_ms is null
      ) m
      where u.id = new.user_id;
    return null;
  end $$`,
  `create trigger measures_reach_account after insert or update of ended_ms on user_measure
    for each row execute function measures_reach_account()`,
]

/** The reason of a measure from before users could read one. */
const UNKNOWN_REASON = `'Set before reasons were shown to you.'`

const EXISTING = `
  insert into user_measure (id, user_id, kind, value, reason, since_ms, until_ms)
  select gen_random_uuid(), id, kind, value, coalesce(nullif(left(btrim(reason), 500), ''), ${UNKNOWN_REASON}), now_ms,
    case when value is not null then now_ms + 7776000000 when is_live then now_ms + 259200000 end
  from (
    select id, 'trade_off' as kind, null::int8 as value, trade_reason as reason from app_user where not trade_allowed
    union all select id, 'withdrawals_off', null, withdrawals_reason from app_user where not withdrawals_allowed
    -- Until now only staff could read why a log-in was blocked.
    union all select id, 'sign_in_off', null, '' from app_user where sign_in_blocked
    union all select id, 'stake_limit', max_stake, '' from app_user where max_stake is not null
    union all select id, 'open_limit', max_open_stake, '' from app_user where max_open_stake is not null
  ) existing, (
    select (extract(epoch from clock_timestamp()) * 1000)::int8 as now_ms,
      coalesce((select mode = 'live' from log_identity order by log limit 1), false) as is_live
  ) facts`

/** Measures against one user: each with a reason that the user reads, and most with an end. */
export const measures: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...COLUMNS, ...MEASURES, EXISTING]) await sql.raw(statement).execute(db)
  },
}
