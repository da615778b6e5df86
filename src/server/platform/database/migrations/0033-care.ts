import { type Kysely, type Migration, sql } from 'kysely'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const KEYS = `('deposit_day', 'deposit_week', 'deposit_month', 'loss_day', 'loss_week', 'loss_month', 'staked_day',
  'staked_week', 'staked_month', 'stake_max', 'reality_check', 'withdrawal_lock')`
/**
 * A reality check has an interval in minutes, and the lock of withdrawals has the value 1 or no row. As for amounts, a
 * smaller number is stricter than a larger number or none.
 */
const VALUE = `case key when 'reality_check' then %s in (15, 30, 60, 120) when 'withdrawal_lock' then %s = 1 else true end`
const valueOf = (column: string): string => VALUE.replaceAll('%s', column)

const RULES = [
  `alter table self_limit drop constraint self_limit_key_check, add check (key in ${KEYS}), add check (${valueOf('amount')})`,
  `alter table self_limit_change drop constraint self_limit_change_key_check, add check (key in ${KEYS}),
    add check (to_amount is null or ${valueOf('to_amount')})`,
  `create or replace function self_rules_of(of_user uuid) returns table (stake_max int8, loss_day int8, loss_week int8,
    loss_month int8, staked_day int8, staked_week int8, staked_month int8, of_orders boolean, closed_until_ms int8)
  language sql stable as $$
    select max(amount) filter (where key = 'stake_max'),
      max(amount) filter (where key = 'loss_day'), max(amount) filter (where key = 'loss_week'),
      max(amount) filter (where key = 'loss_month'), max(amount) filter (where key = 'staked_day'),
      max(amount) filter (where key = 'staked_week'), max(amount) filter (where key = 'staked_month'),
      count(*) filter (where key not like 'deposit%' and key not in ('reality_check', 'withdrawal_lock')) > 0,
      (select case kind when 'exclusion' then 4611686018427387904 else until_ms end from break_of(of_user))
    from self_limit where user_id = of_user
  $$`,
  `-- In a live installation every user begins with a reality check each hour, and cannot cancel withdrawals.
  create function begin_with_care() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if coalesce((select mode = 'live' from log_identity order by log limit 1), false) then
      insert into self_limit (user_id, key, amount, since_ms)
        values (new.id, 'reality_check', 60, ${NOW}), (new.id, 'withdrawal_lock', 1, ${NOW});
    end if;
    return null;
  end $$`,
  `create trigger app_user_begins_with_care after insert on app_user for each row when (not new.is_bot)
    execute function begin_with_care()`,
  `insert into self_limit (user_id, key, amount, since_ms)
    select u.id, k.key, k.amount, ${NOW} from app_user u, (values ('reality_check', 60), ('withdrawal_lock', 1)) k (key, amount)
    where not u.is_bot and coalesce((select mode = 'live' from log_identity order by log limit 1), false)`,
  `-- Changes of limits lock the same balance, so a lock that was confirmed to the user holds.
  create function check_withdrawal_lock() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    perform from balance where user_id = new.user_id order by currency for update;
    if exists (select from self_limit where user_id = new.user_id and key = 'withdrawal_lock') then
      raise exception 'withdrawal: the user locked cancelling' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger withdrawal_lock_checked before update of is_cancelled on withdrawal for each row
    when (new.is_cancelled and not old.is_cancelled) execute function check_withdrawal_lock()`,
]

const REALITY = [
  `-- The newest session of a user with reality checks: orders without a pause of 30 minutes between them. Results up to
  -- until_number are counted. Only the function below writes rows.
  create table reality_session (
    user_id uuid primary key references app_user,
    from_ms int8,
    until_ms int8 not null,
    until_number int8 not null,
    ended int8 not null default 0,
    staked int8 not null default 0,
    net int8 not null default 0,
    seen_ms int8
  )`,
  `-- Counts results that ended since the last call, and returns the session with the time of its next check. A check that
  -- the user has seen begins the interval anew. Null times stand for no session.
  create function reality_of(of_user uuid, at int8, seen_due int8)
  returns table (minutes int8, from_ms int8, due_ms int8, ended int8, staked int8, net int8, open int4, open_stake int8)
  language plpgsql security definer set search_path from current as $$
  #variable_conflict use_column
  declare
    pause constant int8 := 1800000;
    s reality_session%rowtype;
    o record;
    every int8 := (select amount from self_limit where user_id = of_user and key = 'reality_check');
    opened int4;
    at_stake int8;
  begin
    if every is null then return; end if;
    insert into reality_session (user_id, until_ms, until_number) values (of_user, at - 86400000, 0) on conflict do nothing;
    select * into s from reality_session where user_id = of_user for update;
    for o in
      select h.opened_ms, h.settled_ms as end_ms, h.result_number as number, h.result_amount as net,
        case when h.result = 4 then 0 else h.stake end as stake
      from order_history h
      -- Servers may write results some seconds apart from their order.
      where h.user_id = of_user and h.settled_ms > s.until_ms - 600000 and h.result_number > s.until_number
      union all
      select p.opened_ms, at, null, 0, 0 from open_order p where p.user_id = of_user
      order by opened_ms
    loop
      if s.from_ms is null or o.opened_ms - s.until_ms > pause then
        s.from_ms := o.opened_ms;
        s.until_ms := o.opened_ms;
        s.ended := 0;
        s.staked := 0;
        s.net := 0;
      end if;
      s.until_ms := greatest(s.until_ms, o.end_ms);
      if o.number is not null then
        s.until_number := greatest(s.until_number, o.number);
        s.ended := s.ended + 1;
        s.staked := s.staked + o.stake;
        s.net := s.net + o.net;
      end if;
    end loop;
    select count(*), coalesce(sum(stake), 0) into opened, at_stake from open_order where user_id = of_user;
    if at - s.until_ms > pause then s.from_ms := null; end if;
    due_ms := greatest(s.from_ms, case when s.seen_ms >= s.from_ms then s.seen_ms end) + every * 60000;
    if due_ms = seen_due and due_ms <= at then
      s.seen_ms := at;
      due_ms := at + every * 60000;
    end if;
    update reality_session r
    set from_ms = s.from_ms, until_ms = s.until_ms, until_number = s.until_number, ended = s.ended, staked = s.staked,
      net = s.net, seen_ms = s.seen_ms
    where r.user_id = of_user and r is distinct from s;
    return query select every, s.from_ms, due_ms, s.ended, s.staked, s.net, opened, at_stake;
  end $$`,
]

const PROMPT = [
  `-- The answer of a user to the question about a limit before the first deposit. It is asked once.
  create table limit_prompt (
    user_id uuid primary key references app_user,
    answer text not null check (answer in ('set', 'none')),
    at_ms int8 not null
  )`,
]

/** Reality checks, the lock of pending withdrawals, and the question about a limit before the first deposit. */
export const care: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...RULES, ...REALITY, ...PROMPT]) await sql.raw(statement).execute(db)
  },
}
