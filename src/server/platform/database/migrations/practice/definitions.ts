const REFUSED = `using errcode = 'check_violation'`

/** A practice account has the permissions of its owner to trade. No user can log in to it. */
const RIGHTS = [
  `create function keep_practice_account() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    owner app_user%rowtype;
  begin
    if tg_op = 'INSERT' then
      select * into owner from app_user where id = new.practice_of and practice_of is null for share;
    else
      select * into owner from app_user where id = new.practice_of;
    end if;
    if owner.id is null or owner.is_bot then
      raise exception 'app_user: no such owner of a practice account' ${REFUSED};
    end if;
    new.verified := owner.verified;
    new.trade_allowed := owner.trade_allowed;
    new.trade_reason := owner.trade_reason;
    new.sign_in_blocked := true;
    new.withdrawals_allowed := false;
    return new;
  end $$`,
  `create trigger app_user_practice_kept before insert or update on app_user for each row
    when (new.practice_of is not null) execute function keep_practice_account()`,
  `create function keep_owner() returns trigger language plpgsql as $$
  begin
    raise exception 'app_user: a practice account never changes its owner' ${REFUSED};
  end $$`,
  `create trigger app_user_practice_owner before update of practice_of on app_user for each row
    when (new.practice_of is distinct from old.practice_of) execute function keep_owner()`,
  `create function practice_follows_owner() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    update app_user set verified = new.verified where practice_of = new.id;
    return null;
  end $$`,
  `create trigger app_user_practice_follows after update of verified, trade_allowed, trade_reason on app_user for each row
    when (new.practice_of is null and (old.verified, old.trade_allowed, old.trade_reason)
      is distinct from (new.verified, new.trade_allowed, new.trade_reason))
    execute function practice_follows_owner()`,
  `create function keep_currency() returns trigger language plpgsql as $$
  begin
    raise exception 'balance: its user and its currency stay' ${REFUSED};
  end $$`,
]

/** Breaks and the closing of an account count for its practice account too. Limits of money do not. */
const BREAKS = [
  `-- As before. A practice account has no limits of its own, and is closed while its owner's account is.
  create or replace function self_rules_of(of_user uuid) returns table (stake_max int8, loss_day int8, loss_week int8,
    loss_month int8, staked_day int8, staked_week int8, staked_month int8, of_orders boolean, closed_until_ms int8)
  language sql stable as $$
    select max(amount) filter (where key = 'stake_max'),
      max(amount) filter (where key = 'loss_day'), max(amount) filter (where key = 'loss_week'),
      max(amount) filter (where key = 'loss_month'), max(amount) filter (where key = 'staked_day'),
      max(amount) filter (where key = 'staked_week'), max(amount) filter (where key = 'staked_month'),
      count(*) filter (where key not like 'deposit%' and key not in ('reality_check', 'withdrawal_lock')) > 0,
      (select case when exists (select from account_closing c where c.user_id = o.id and c.state <> 'cancelled')
          then 4611686018427387904
          else (select case kind when 'exclusion' then 4611686018427387904 else until_ms end from break_of(o.id)) end
        from (select coalesce((select practice_of from app_user where id = of_user), of_user) as id) o)
    from self_limit where user_id = of_user
  $$`,
  `create or replace function copy_self_rules(of_user uuid) returns void language sql security definer set search_path from current as $$
    update balance b
    set self_stake_max = l.stake_max, loss_day = l.loss_day, loss_week = l.loss_week, loss_month = l.loss_month,
      staked_day = l.staked_day, staked_week = l.staked_week, staked_month = l.staked_month,
      closed_until_ms = l.closed_until_ms, self_rules = l.of_orders or l.closed_until_ms is not null
    from self_rules_of(of_user) l
    where b.user_id = of_user;
    update balance b
    set closed_until_ms = l.closed_until_ms, self_rules = l.closed_until_ms is not null
    from app_user p, self_rules_of(of_user) l
    where p.practice_of = of_user and b.user_id = p.id and b.closed_until_ms is distinct from l.closed_until_ms
  $$`,
  `create or replace function lock_self_rules(of_user uuid) returns void language plpgsql security definer
  set search_path from current as $$
  begin
    perform from app_user where id = of_user for no key update;
    perform from balance
      where user_id = of_user or user_id = (select id from app_user where practice_of = of_user)
      order by user_id, currency for update;
  end $$`,
  `drop trigger app_user_begins_with_care on app_user`,
  `create trigger app_user_begins_with_care after insert on app_user for each row
    when (not new.is_bot and new.practice_of is null) execute function begin_with_care()`,
]

/** The functions that practice accounts need, and those that change because of them. */
export const DEFINITIONS = [...RIGHTS, ...BREAKS]
