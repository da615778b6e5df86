import { type Kysely, type Migration, sql } from 'kysely'
import { addNoticeKind } from '#server/platform/database/migrations/add-notice-kind.ts'

const NOW = `(extract(epoch from clock_timestamp()) * 1000)::int8`
const REFUSED = `using errcode = 'check_violation'`

const TABLES = [
  `-- How far the tick log was read for price alerts, with the newest tick that was read of each symbol. Who sets an alert
  -- shares this row until the commit, so that no alert appears behind the place that was read.
  create table alert_mark (
    only_one boolean primary key default true check (only_one),
    until_seq int8 not null default 0,
    last_ticks jsonb not null default '[]'
  )`,
  `create table price_alert (
    user_id uuid not null references app_user,
    id uuid not null,
    symbol_id int4 not null references market_symbol,
    kind text not null check (kind in ('above', 'below', 'move')),
    level int8,
    -- In hundredths of a percent.
    move int4,
    repeats boolean not null,
    cool_ms int8 not null check (cool_ms between 300000 and 604800000),
    expires_ms int8 not null,
    note text not null check (length(note) <= 80),
    state text not null default 'running' check (state in ('running', 'fired', 'expired', 'ended')),
    -- The tick that was the newest when the alert was set.
    basis_seq int8 not null,
    basis_price int8 not null,
    basis_time_ms int8 not null,
    -- Only ticks after this place of the log count.
    from_seq int8 not null,
    -- Whether the newest tick was on the other side of the level.
    armed boolean not null default true,
    -- Ticks before this time do not fire it.
    quiet_ms int8 not null default 0,
    round int4 not null default 0,
    notified_round int4 not null default 0,
    fired_seq int8,
    fired_price int8,
    fired_time_ms int8,
    previous_seq int8,
    previous_time_ms int8,
    created_ms int8 not null,
    version int4 not null default 1,
    -- Grows with each change by the user and each firing, over all alerts.
    change_n int8 not null default 0,
    primary key (user_id, id),
    constraint price_alert_rule_check check ((kind = 'move') = (move is not null) and (kind = 'move') = (level is null)
      and move between 10 and 5000 and level > 0),
    constraint price_alert_fired_check check ((round = 0) = (fired_seq is null) and (fired_seq is null) = (fired_price is null)
      and (fired_seq is null) = (fired_time_ms is null) and (fired_seq is null) = (previous_seq is null)
      and (fired_seq is null) = (previous_time_ms is null))
  )`,
  `create index price_alert_running on price_alert (user_id) where state = 'running'`,
  `create index price_alert_change on price_alert (change_n)`,
  `create index price_alert_expiry on price_alert (expires_ms) where state = 'running'`,
  `create index price_alert_untold on price_alert (user_id) where notified_round < round`,
  `create sequence price_alert_change_n`,
]

const CHECKS = [
  `-- Numbers the changes, limits the running alerts of a user to 20, and refuses a firing that the level contradicts.
  create function check_price_alert() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if tg_op = 'INSERT' or new.version <> old.version then
      new.change_n := nextval('price_alert_change_n');
    end if;
    if tg_op = 'UPDATE' and new.round <> old.round and (new.round <> old.round + 1 or old.state <> 'running'
        or new.fired_seq <= old.from_seq or (new.kind = 'above' and new.fired_price < new.level)
        or (new.kind = 'below' and new.fired_price > new.level)) then
      raise exception 'price_alert: this tick does not fire it' ${REFUSED};
    end if;
    if new.state = 'running' and (tg_op = 'INSERT' or old.state <> 'running') then
      if exists (select from break_of(new.user_id) where kind = 'exclusion') then
        raise exception 'price_alert: the user is excluded' ${REFUSED};
      end if;
      perform pg_advisory_xact_lock(hashtextextended('price alerts ' || new.user_id, 0));
      if (select count(*) from price_alert where user_id = new.user_id and state = 'running') >= 20 then
        raise exception 'price_alert: too many are running' ${REFUSED};
      end if;
    end if;
    return new;
  end $$`,
  `create trigger check_price_alert before insert or update on price_alert for each row execute function check_price_alert()`,
  `-- An exclusion ends the alerts of the user, also those that the user was not told of.
  create function end_price_alerts() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    update price_alert set state = case state when 'running' then 'ended' else state end, notified_round = round,
      version = version + 1
    where user_id = new.user_id and (state = 'running' or notified_round < round);
    return null;
  end $$`,
  `create trigger end_price_alerts after insert on self_break for each row when (new.kind = 'exclusion')
    execute function end_price_alerts()`,
]

const NOTICES = [
  addNoticeKind('price_alert'),
  `alter table notice_mail drop constraint notice_mail_topic_check,
    add constraint notice_mail_topic_check check (topic in ('deposits', 'orders', 'results', 'limits', 'alerts'))`,
  `-- As before, with the topic of price alerts, whose mail is off until the user chooses it.
  create or replace function tell(of_user uuid, of_kind text, of_subject text, facts jsonb, at int8) returns void
  language plpgsql security definer set search_path from current as $$
  declare
    nid uuid;
    of_topic text := case
      when of_kind like 'deposit%' then 'deposits' when of_kind = 'order_void' then 'orders'
      when of_kind = 'orders_ended' then 'results' when of_kind = 'price_alert' then 'alerts'
      when of_kind like 'limit%' or of_kind like 'break%' or of_kind = 'review_due' then 'limits' end;
    choice notice_mail%rowtype;
  begin
    select * into choice from notice_mail m where m.user_id = of_user and m.topic = of_topic;
    if not choice.in_inbox then return; end if;
    insert into notice (user_id, id, kind, subject, data, at_ms, stored_ms)
      values (of_user, gen_random_uuid(), of_kind, of_subject, jsonb_strip_nulls(facts), at, ${NOW})
      on conflict on constraint notice_once do nothing returning id into nid;
    if nid is null then return; end if;
    insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'page');
    -- These can be many, or say nothing that is urgent, so their mail is off until the user chooses it. Nothing about
    -- orders is mailed during a break.
    if coalesce(choice.is_on, of_kind not in ('order_void', 'orders_ended', 'limit_reached', 'price_alert'))
        and not (of_kind = 'orders_ended' and exists (select from break_of(of_user))) then
      insert into notice_delivery (user_id, notice_id, channel) values (of_user, nid, 'mail');
    end if;
  end $$`,
  `-- Tells of alerts that fired, once for each firing. During a break, or while the user cannot log in, they wait.
  create function tell_price_alerts()
    returns table (user_id uuid, alert_id uuid, symbol_id int4, fired_seq int8, fired_price int8, fired_time_ms int8)
  language plpgsql security definer set search_path from current as $$
  #variable_conflict use_column
  declare
    fired record;
  begin
    for fired in
      select a.*, s.code, s.decimals from price_alert a join market_symbol s on s.id = a.symbol_id
        join app_user u on u.id = a.user_id
      where a.notified_round < a.round and not u.sign_in_blocked and not exists (select from break_of(a.user_id))
      order by a.fired_seq, a.id for update of a skip locked
    loop
      perform tell(fired.user_id, 'price_alert', fired.id || ' ' || fired.round,
        jsonb_build_object('symbol', fired.code, 'decimals', fired.decimals, 'price', fired.fired_price,
          'level', fired.level, 'move', fired.move, 'tick', fired.fired_seq, 'note', nullif(fired.note, ''),
          'since_ms', fired.previous_time_ms), fired.fired_time_ms);
      update price_alert set notified_round = round where user_id = fired.user_id and id = fired.id;
      return query select fired.user_id, fired.id, fired.symbol_id, fired.fired_seq, fired.fired_price, fired.fired_time_ms;
    end loop;
  end $$`,
]

/** Alerts that users set on prices, and how far the tick log was read for them. */
export const priceAlerts: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...CHECKS, ...NOTICES]) await sql.raw(statement).execute(db)
  },
}
