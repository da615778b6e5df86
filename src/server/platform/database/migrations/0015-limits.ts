import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const KEYS = `('deposit_day', 'deposit_week', 'deposit_month', 'loss_day', 'loss_week', 'loss_month', 'staked_day',
  'staked_week', 'staked_month', 'stake_max')`

const TABLES = [
  `-- What decides about orders of users with limits of their own. net_total and stake_total sum what has ended since this
  -- migration; only their differences count. The other columns are copies that only the database writes.
  alter table balance
    add column net_total int8 not null default 0,
    add column stake_total int8 not null default 0,
    add column self_rules boolean not null default false,
    add column self_stake_max int8,
    add column loss_day int8,
    add column loss_week int8,
    add column loss_month int8,
    add column staked_day int8,
    add column staked_week int8,
    add column staked_month int8,
    add column closed_until_ms int8`,
  `-- Limits that users set for themselves, in force. Only the database writes them, from self_limit_change.
  create table self_limit (
    user_id uuid not null references app_user,
    key text not null check (key in ${KEYS}),
    amount int8 not null check (amount between 0 and 100000000000),
    since_ms int8 not null,
    primary key (user_id, key)
  )`,
  `-- Every change of an own limit. A null amount stands for no limit. The database fills in everything but user, id, key
  -- and to_amount.
  create table self_limit_change (
    user_id uuid not null references app_user,
    id uuid not null,
    key text not null check (key in ${KEYS}),
    from_amount int8,
    to_amount int8 check (to_amount between 0 and 100000000000),
    direction text not null check (direction in ('tighter', 'looser')),
    asked_ms int8 not null,
    ready_ms int8 not null,
    lapses_ms int8 not null,
    primary key (user_id, id)
  )`,
  `create index self_limit_change_newest on self_limit_change (user_id, asked_ms desc)`,
  `-- The end of a change that waited.
  create table self_limit_change_end (
    user_id uuid not null,
    id uuid not null,
    outcome text not null check (outcome in ('confirmed', 'dropped', 'lapsed')),
    at_ms int8 not null,
    primary key (user_id, id),
    foreign key (user_id, id) references self_limit_change
  )`,
  `-- Times without orders and deposits that users chose: days of a time-out, months of an exclusion. No row ever changes.
  create table self_break (
    user_id uuid not null references app_user,
    id uuid not null,
    kind text not null check (kind in ('time_out', 'exclusion')),
    length int4 not null,
    from_ms int8 not null,
    until_ms int8 not null,
    primary key (user_id, id),
    check (case kind when 'time_out' then length between 1 and 42 else length between 6 and 60 end)
  )`,
  `-- An exclusion that is over ends when its user asks to return, and confirms that a day later.
  create table self_return (
    user_id uuid not null,
    break_id uuid not null,
    asked_ms int8 not null,
    confirmed_ms int8,
    primary key (user_id, break_id),
    foreign key (user_id, break_id) references self_break
  )`,
  `-- The totals of a balance at a time. A window begins at the newest mark before it.
  create table limit_mark (
    user_id uuid not null references app_user,
    made_ms int8 not null,
    net_total int8 not null,
    stake_total int8 not null,
    primary key (user_id, made_ms)
  )`,
]

const COPIES = [
  `-- The break of a user: a time-out until its end, an exclusion until the return from it.
  create function break_of(of_user uuid) returns table (id uuid, kind text, from_ms int8, until_ms int8, asked_ms int8)
  language sql stable security definer set search_path from current as $$
    select b.id, b.kind, b.from_ms, b.until_ms, r.asked_ms
    from self_break b left join self_return r on r.user_id = b.user_id and r.break_id = b.id
    where b.user_id = of_user and case b.kind when 'time_out' then b.until_ms > ${NOW}
      else b.from_ms > coalesce((select max(confirmed_ms) from self_return d where d.user_id = of_user), 0) end
    order by b.kind, b.until_ms desc limit 1
  $$`,
  `-- 4611686018427387904 is 2^62: an exclusion has no end before the return from it.
  create function self_rules_of(of_user uuid) returns table (stake_max int8, loss_day int8, loss_week int8, loss_month int8,
    staked_day int8, staked_week int8, staked_month int8, of_orders boolean, closed_until_ms int8) language sql stable as $$
    select max(amount) filter (where key = 'stake_max'),
      max(amount) filter (where key = 'loss_day'), max(amount) filter (where key = 'loss_week'),
      max(amount) filter (where key = 'loss_month'), max(amount) filter (where key = 'staked_day'),
      max(amount) filter (where key = 'staked_week'), max(amount) filter (where key = 'staked_month'),
      count(*) filter (where key not like 'deposit%') > 0,
      (select case kind when 'exclusion' then 4611686018427387904 else until_ms end from break_of(of_user))
    from self_limit where user_id = of_user
  $$`,
  `create function copy_self_rules(of_user uuid) returns void language sql security definer set search_path from current as $$
    update balance b
    set self_stake_max = l.stake_max, loss_day = l.loss_day, loss_week = l.loss_week, loss_month = l.loss_month,
      staked_day = l.staked_day, staked_week = l.staked_week, staked_month = l.staked_month,
      closed_until_ms = l.closed_until_ms, self_rules = l.of_orders or l.closed_until_ms is not null
    from self_rules_of(of_user) l
    where b.user_id = of_user
  $$`,
  `create function self_rules_reach_balances() returns trigger language plpgsql security definer
  set search_path from current as $$
  begin
    perform copy_self_rules(coalesce(new.user_id, old.user_id));
    return null;
  end $$`,
  ...['self_limit', 'self_break', 'self_return'].map(
    (table) => `create trigger ${table}_reaches_balances after insert or update or delete on ${table}
      for each row execute function self_rules_reach_balances()`,
  ),
  `create function balance_has_self_rules() returns trigger language plpgsql security definer
  set search_path from current as $$
  begin
    select l.stake_max, l.loss_day, l.loss_week, l.loss_month, l.staked_day, l.staked_week, l.staked_month,
          l.of_orders or l.closed_until_ms is not null, l.closed_until_ms
      into new.self_stake_max, new.loss_day, new.loss_week, new.loss_month, new.staked_day, new.staked_week,
        new.staked_month, new.self_rules, new.closed_until_ms
      from self_rules_of(new.user_id) l;
    return new;
  end $$`,
  `-- Fires after balance_has_rights, which waits for changes of the account.
  create trigger balance_has_self_rules before insert on balance for each row execute function balance_has_self_rules()`,
]

const RULES = [
  `-- Locks a user's limits against other changes and against orders that are being accepted.
  create function lock_self_rules(of_user uuid) returns void language plpgsql security definer
  set search_path from current as $$
  begin
    perform from app_user where id = of_user for no key update;
    perform from balance where user_id = of_user order by currency for update;
  end $$`,
  `-- Tightening counts at once. Loosening waits for 24 hours and then for a confirmation, at most seven days. A new change
  -- of the same limit ends the one that waits.
  create function check_self_limit_change() returns trigger language plpgsql security definer
  set search_path from current as $$
  declare
    held int8;
    is_held boolean;
  begin
    perform lock_self_rules(new.user_id);
    select amount into held from self_limit where user_id = new.user_id and key = new.key;
    is_held := found;
    if held is not distinct from new.to_amount then
      raise exception 'self_limit_change: nothing changes' using errcode = 'check_violation';
    end if;
    new.from_amount := held;
    new.direction := case when new.to_amount is not null and (not is_held or new.to_amount < held) then 'tighter' else 'looser' end;
    new.asked_ms := ${NOW};
    new.ready_ms := new.asked_ms + case new.direction when 'looser' then 86400000 else 0 end;
    new.lapses_ms := new.ready_ms + 604800000;
    insert into self_limit_change_end (user_id, id, outcome, at_ms)
      select c.user_id, c.id, 'dropped', new.asked_ms from self_limit_change c
      where c.user_id = new.user_id and c.key = new.key and c.direction = 'looser'
        and not exists (select from self_limit_change_end e where e.user_id = c.user_id and e.id = c.id);
    if new.direction = 'tighter' then
      insert into self_limit (user_id, key, amount, since_ms) values (new.user_id, new.key, new.to_amount, new.asked_ms)
        on conflict (user_id, key) do update set amount = excluded.amount, since_ms = excluded.since_ms;
    end if;
    return new;
  end $$`,
  `create trigger self_limit_change_checked before insert on self_limit_change
    for each row execute function check_self_limit_change()`,
  `-- A change ends once. Only a change that is ready by the clock of the database can be confirmed, and it applies here.
  create function check_self_limit_change_end() returns trigger language plpgsql security definer
  set search_path from current as $$
  declare
    change self_limit_change%rowtype;
    held int8;
  begin
    new.at_ms := ${NOW};
    select * into change from self_limit_change where user_id = new.user_id and id = new.id;
    if change.direction is distinct from 'looser' then
      raise exception 'self_limit_change_end: the change does not wait' using errcode = 'check_violation';
    end if;
    if new.at_ms >= change.lapses_ms then
      new.outcome := 'lapsed';
    elsif new.outcome = 'lapsed' or (new.outcome = 'confirmed' and new.at_ms < change.ready_ms) then
      raise exception 'self_limit_change_end: too early' using errcode = 'check_violation';
    end if;
    if new.outcome = 'confirmed' then
      perform lock_self_rules(new.user_id);
      if exists (select from self_limit_change_end where user_id = new.user_id and id = new.id) then
        return new; -- The key refuses the second end.
      end if;
      select amount into held from self_limit where user_id = new.user_id and key = change.key;
      if not found or change.to_amount <= held then
        new.outcome := 'lapsed';
      elsif change.to_amount is null then
        delete from self_limit where user_id = new.user_id and key = change.key;
      else
        update self_limit set amount = change.to_amount, since_ms = new.at_ms where user_id = new.user_id and key = change.key;
      end if;
    end if;
    return new;
  end $$`,
  `create trigger self_limit_change_end_checked before insert on self_limit_change_end
    for each row execute function check_self_limit_change_end()`,
]

const BREAKS = [
  `-- A break begins now, and never ends before one that is in force.
  create function check_self_break() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform lock_self_rules(new.user_id);
    new.from_ms := ${NOW};
    new.until_ms := case new.kind when 'time_out' then new.from_ms + new.length * 86400000::int8
      else (extract(epoch from (to_timestamp(new.from_ms / 1000.0) at time zone 'UTC' + make_interval(months => new.length))
        at time zone 'UTC') * 1000)::int8 end;
    if exists (select from break_of(new.user_id) b where b.until_ms > new.until_ms)
        or exists (select from self_break b where b.user_id = new.user_id and b.kind = 'time_out' and b.until_ms > new.until_ms) then
      raise exception 'self_break: a break cannot be made shorter' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger self_break_checked before insert on self_break for each row execute function check_self_break()`,
  `-- A return is asked for when the exclusion is over, and confirmed a day later.
  create function check_self_return() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform lock_self_rules(new.user_id);
    if not exists (select from break_of(new.user_id) b where b.id = new.break_id and b.kind = 'exclusion'
        and b.until_ms <= ${NOW}) then
      raise exception 'self_return: no exclusion is over' using errcode = 'check_violation';
    end if;
    if tg_op = 'INSERT' then
      new.asked_ms := ${NOW};
      new.confirmed_ms := null;
    else
      new.confirmed_ms := ${NOW};
      if new.confirmed_ms < old.asked_ms + 86400000 then
        raise exception 'self_return: too early' using errcode = 'check_violation';
      end if;
    end if;
    return new;
  end $$`,
  `create trigger self_return_checked before insert or update on self_return
    for each row execute function check_self_return()`,
]

/** Limits that users set for themselves, and their breaks. */
export const limits: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...COPIES, ...RULES, ...BREAKS]) await sql.raw(statement).execute(db)
  },
}
