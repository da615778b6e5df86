import { type Kysely, type Migration, sql } from 'kysely'
import { CHECK_TERMS_ENTRY } from '#server/platform/database/migrations/early-sale/check-terms-entry.ts'

const TABLES = [
  `-- What a calibration on the log of this installation found. No row is changed or deleted.
  create table sale_report (
    symbol_id int4 not null,
    scale int4 not null check (scale between 70 and 110),
    made_ms int8 not null,
    from_ms int8 not null,
    days int4 not null check (days >= 0),
    prices int8 not null,
    -- In hundredths of a percent of the stake.
    min_fee int4 not null check (min_fee >= 200),
    is_fair boolean not null,
    report json not null,
    primary key (symbol_id, scale, made_ms)
  )`,
  `-- Requests to sell an order back. An order that is being sold names its request.
  create table sale_request (
    order_id uuid not null,
    n int4 not null check (n > 0),
    user_id uuid not null,
    client_sale_id text not null check (length(client_sale_id) between 1 and 64),
    requested_ms int8 not null,
    least int8 not null check (least > 0),
    terms_n int8 not null,
    head_seq int8 not null,
    primary key (order_id, n),
    unique (order_id, client_sale_id)
  )`,
  `-- How a request ended: sold at a tick of the log, or lapsed.
  create table sale_end (
    order_id uuid not null,
    n int4 not null,
    user_id uuid not null,
    reason text,
    tick_seq int8,
    tick_ref int8,
    received_ms int8,
    movement numeric(40, 0),
    left_ms int8 check (left_ms > 0),
    win int8 check (win between 50000000 and 950000000),
    same int8 check (same >= 0),
    stake int8,
    gross int8,
    fee int8 check (fee >= 0),
    paid int8 check (paid > 0),
    decided_ms int8 not null,
    head_seq int8 not null,
    primary key (order_id, n),
    foreign key (order_id, n) references sale_request,
    constraint sale_end_reasons_check check (reason in
      ('sale_no_price', 'sale_unsure', 'sale_after_jump', 'sale_no_value', 'sale_below_least')),
    constraint sale_end_sold_check check (
      num_nulls(tick_seq, received_ms, movement, left_ms, win, same, stake, gross, fee, paid) =
      case when reason is null then 0 else 10 end),
    constraint sale_end_amounts_check check (paid = gross - fee)
  )`,
  `create unique index sale_end_sold on sale_end (order_id) where reason is null`,
  `create index sale_end_head on sale_end (head_seq) where reason is null`,
  `create index sale_end_decided on sale_end (decided_ms) where reason is null`,
]

const ORDERS = [
  `-- The request by which the order is being sold. No order is settled before it is decided.
  alter table open_order add column selling int4`,
  `create index open_order_selling on open_order (symbol_id) where selling is not null`,
  `alter table order_history drop constraint order_history_result_check`,
  `alter table order_history add constraint order_history_result_check
    check (result in (1, 2, 3, 4, 5) and (result = 4) = (void_reason is not null))`,
  `alter table transfer drop constraint transfer_kind_check`,
  `alter table transfer add constraint transfer_kind_check check (kind in (
    'order_stake', 'order_win', 'order_draw', 'order_void', 'order_lose', 'order_sold', 'order_sale', 'order_sale_fee',
    'order_profit', 'make_good', 'deposit', 'demo_funds', 'withdrawal_request', 'withdrawal_paid', 'withdrawal_rejected',
    'withdrawal_cancelled', 'withdrawal_fee', 'correction_in', 'correction_out', 'beginner_task', 'credits_lapsed'))`,
  `alter table receipt_batch drop constraint receipt_batch_kind_check`,
  `alter table receipt_batch add constraint receipt_batch_kind_check check (kind in ('accepted', 'result', 'amended', 'sale', 'money'))`,
  `alter table terms_entry drop constraint terms_entry_kind_check`,
  `alter table terms_entry add constraint terms_entry_kind_check check (kind in
    ('duration', 'payout', 'min_stake', 'max_stake', 'ceiling', 'max_tick_age', 'symbol', 'notice', 'rule', 'sale'))`,
]

/** A sale, its order and its money belong together. The end of their transaction checks them. */
const CHECKS = [
  `create function check_sale_end() returns trigger language plpgsql security definer set search_path from current as $$
  declare
    request sale_request%rowtype;
  begin
    select * into strict request from sale_request r where r.order_id = new.order_id and r.n = new.n;
    if new.reason is not null then
      if exists (select from open_order o where o.id = new.order_id and o.selling = new.n) then
        raise exception 'sale_end: the order is still being sold' using errcode = 'check_violation';
      end if;
      return null;
    end if;
    if not exists (
      select from order_history h where h.id = new.order_id and h.user_id = new.user_id and new.user_id = request.user_id and h.result = 5
        and h.stake = new.stake
        and h.result_amount = new.paid - h.stake and h.exit_seq = new.tick_seq and h.exit_time_ms > request.requested_ms + 1000
        and h.expires_ms - h.exit_time_ms = new.left_ms and new.paid >= request.least
        and new.gross <= h.stake + h.stake * h.profit_basis_points / 10000 + 1
        and (select sum(case t.kind when 'order_sold' then h.stake - t.amount when 'order_sale' then t.amount - new.gross
          else new.fee - t.amount end) = 0 and count(*) = 2 + (new.fee > 0)::int4
          from transfer t where t.user_id = h.user_id and t.ref = h.id and t.kind in ('order_sold', 'order_sale', 'order_sale_fee')))
    then
      raise exception 'sale_end: the order or its transfers differ' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger sale_end_checked after insert on sale_end deferrable initially deferred
    for each row execute function check_sale_end()`,
  `create function check_sold_order() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from sale_end e where e.order_id = new.id and e.reason is null) then
      raise exception 'order_history: sold without a sale' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger order_history_sold after insert on order_history deferrable initially deferred
    for each row when (new.result = 5) execute function check_sold_order()`,
  `create function check_sale_transfer() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from sale_end e join sale_request r using (order_id, n)
        where e.order_id = new.ref and e.reason is null and r.user_id = new.user_id) then
      raise exception 'transfer: no sale' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger transfer_sale after insert on transfer deferrable initially deferred
    for each row when (new.kind in ('order_sold', 'order_sale', 'order_sale_fee')) execute function check_sale_transfer()`,
  `-- A request is of its user's open order, and leaves time to the expiry.
  create function check_sale_request() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from open_order o where o.id = new.order_id and o.user_id = new.user_id and o.selling = new.n
        and o.expires_ms - new.requested_ms between 30000 and 3600000) then
      raise exception 'sale_request: no such open order' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger sale_request_checked after insert on sale_request deferrable initially deferred
    for each row execute function check_sale_request()`,
]

/** The record of an expiry does not concern an order that was sold before it. */
const MADE_GOOD = `create or replace function missed_by_record(o order_history, reading text) returns table (result int4, amount int8)
  language sql set search_path from current as $$
    select r.result, credit_of(r.result, o) - credit_of(o.result, o)
    from (select (reading::jsonb #>> '{last,price}')::int8 as price, (reading::jsonb #>> '{last,time_ms}')::int8 as at) l,
      lateral (select case
        when l.at is null or l.at < o.expires_ms - o.max_tick_age_ms then 4 when l.price = o.entry_price then 3
        when (l.price > o.entry_price) = (o.direction = 1) then 1 else 2 end as result) r
    where o.result <> 5
  $$`

/** The tick log keeps the 22 minutes of ticks from which a sale is computed. */
const EVIDENCE = `create or replace function void_stretches(from_seq int8, to_ms int8)
 returns table(since_ms int8, until_seq int8)
 language sql
 stable
 set search_path from current
as $function$
    select expires_ms - max_tick_age_ms - 5000, head_seq from settlement_price
    where exit_seq is null and head_seq >= from_seq and expires_ms - max_tick_age_ms - 5000 <= to_ms
    union
    select expires_ms - max_tick_age_ms - 5000, head_seq from decided_price
    where exit_seq is null and head_seq >= from_seq and expires_ms - max_tick_age_ms - 5000 <= to_ms
    union
    select r.requested_ms - 1320000, e.head_seq from sale_end e join sale_request r using (order_id, n)
    where e.reason is null and e.head_seq >= from_seq and r.requested_ms - 1320000 <= to_ms $function$`

/** Selling an order back before its expiry. */
export const earlySale: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...ORDERS, ...CHECKS, MADE_GOOD, EVIDENCE, CHECK_TERMS_ENTRY])
      await sql.raw(statement).execute(db)
  },
}
