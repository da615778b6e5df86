import { type Kysely, type Migration, sql } from 'kysely'

/** The key columns of a decided price. */
const DECISION = `
    symbol_id int4 not null,
    source text not null,
    expires_ms int8 not null,
    max_tick_age_ms int4 not null,
    rule int4 not null,
    evidence text not null`
const DECISION_KEY = 'symbol_id, expires_ms, source, max_tick_age_ms, rule, evidence'

/** The condition that a row of `alias` has the key of the new row. */
function isDecision(alias: string): string {
  const columns = DECISION_KEY.split(', ')
  const of = (name: string) => columns.map((column) => `${name}.${column}`).join(', ')
  return `(${of(alias)}) = (${of('new')})`
}

/**
 * Refuses times of a record check that are more than five minutes ahead of the database's clock. A later time would
 * delay the next request too much, and the clocks of server and database never differ that much.
 */
const RECORD_TIMES = [
  `create function check_record_check() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if greatest(new.noted_ms, new.asked_ms, new.first_ms, new.read_ms, new.closed_ms)
        > (extract(epoch from clock_timestamp()) * 1000)::int8 + 300000 then
      raise exception 'record_check: a time in the future' using errcode = 'check_violation';
    end if;
    if tg_op = 'INSERT' then
      if new.read_ms is not null then
        raise exception 'record_check: a record is read after it was noted' using errcode = 'check_violation';
      end if;
      if not exists (select from decided_price d where ${isDecision('d')}) then
        raise exception 'record_check: no such decision' using errcode = 'check_violation';
      end if;
    elsif old.read_ms is null and (new.closed_ms is not null
        or new.read_ms is not null and (old.first_ms, old.first_reading) is distinct from (new.first_ms, new.reading)) then
      raise exception 'record_check: a record is read twice before its payments are computed' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `create trigger record_check_checked before insert or update on record_check
    for each row execute function check_record_check()`,
]

const OWED = [
  `-- What an order credits with a result. The profit is rounded half to even.
  create function credit_of(result int4, o order_history) returns int8 language sql set search_path from current as $$
    select case result when 2 then 0 when 1 then o.stake + q - (x % 10000 = 5000 and q % 2 = 1)::int4 else o.stake end
    from (select o.stake * o.profit_basis_points) f (x), lateral (select (x + 5000) / 10000) h (q)
  $$`,
  `-- The result of an order by a reading, and what its user would have got in addition.
  create function missed_by_record(o order_history, reading text) returns table (result int4, amount int8)
  language sql set search_path from current as $$
    select r.result, credit_of(r.result, o) - credit_of(o.result, o)
    from (select (reading::jsonb #>> '{last,price}')::int8 as price, (reading::jsonb #>> '{last,time_ms}')::int8 as at) l,
      lateral (select case
        when l.at is null or l.at < o.expires_ms - o.max_tick_age_ms then 4 when l.price = o.entry_price then 3
        when (l.price > o.entry_price) = (o.direction = 1) then 1 else 2 end as result) r
  $$`,
  `-- Only what the record says is owed, and only in the transaction that closes the check.
  create function check_made_good() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (
      select from record_check c
      join order_history o on o.user_id = new.user_id and o.id = new.order_id and o.symbol_id = c.symbol_id
        and o.entry_source = c.source and o.expires_ms = c.expires_ms and o.max_tick_age_ms = c.max_tick_age_ms
        and o.rule_version = c.rule and o.evidence = c.evidence
      join missed_by_record(o, c.reading) m on m.result = new.result and m.amount = new.amount
      where ${isDecision('c')} and c.closed_ms = new.noted_ms and c.xmin = pg_current_xact_id()::xid) then
      raise exception 'made_good: not owed by a record that was read' using errcode = 'check_violation';
    end if;
    return new;
  end $$`,
  `-- A check is closed together with everything that is owed by it.
  create function check_record_closed() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if exists (
      select from order_history o, missed_by_record(o, new.reading) m
      where o.symbol_id = new.symbol_id and o.entry_source = new.source and o.expires_ms = new.expires_ms
        and o.max_tick_age_ms = new.max_tick_age_ms and o.rule_version = new.rule and o.evidence = new.evidence
        and o.settled_ms >= (select decided_ms - 60000 from decided_price d where ${isDecision('d')})
        and m.amount > 0 and not exists (select from made_good g where g.order_id = o.id)) then
      raise exception 'record_check: a payment is left out' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger record_check_closed after update on record_check deferrable initially deferred
    for each row when (old.closed_ms is null and new.closed_ms is not null) execute function check_record_closed()`,
  `create trigger made_good_checked before insert on made_good for each row execute function check_made_good()`,
]

/** A payment and its transfer belong together. Both are checked at the end of their transaction. */
const PAID = [
  `create function check_made_good_paid() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from transfer t where t.user_id = new.user_id and t.ref = new.order_id and t.step = 'made_good'
        and t.kind = 'make_good' and t.amount = new.amount and t.created_ms = new.paid_ms) then
      raise exception 'made_good: the transfer is missing' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger made_good_paid after insert or update on made_good deferrable initially deferred
    for each row when (new.paid_ms is not null) execute function check_made_good_paid()`,
  `create function keep_made_good_paid() returns trigger language plpgsql as $$
  begin
    raise exception 'made_good: what was paid stays paid' using errcode = 'check_violation';
  end $$`,
  `create trigger made_good_stays_paid before update on made_good
    for each row when (old.paid_ms is not null) execute function keep_made_good_paid()`,
  `create function check_make_good() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if new.step <> 'made_good' or not exists (select from made_good m where m.order_id = new.ref
        and m.user_id = new.user_id and m.amount = new.amount and m.paid_ms = new.created_ms) then
      raise exception 'transfer: nothing is owed for this order' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger transfer_make_good after insert on transfer deferrable initially deferred
    for each row when (new.kind = 'make_good') execute function check_make_good()`,
]

const STATEMENTS = [
  `alter table transfer drop constraint transfer_kind_check`,
  `alter table transfer add constraint transfer_kind_check check (kind in (
    'order_stake', 'order_win', 'order_draw', 'order_void', 'order_lose', 'order_profit', 'make_good', 'deposit', 'demo_funds',
    'withdrawal_request', 'withdrawal_paid', 'withdrawal_rejected', 'withdrawal_cancelled', 'withdrawal_fee',
    'correction_in', 'correction_out', 'beginner_task'))`,
  `alter table receipt_batch drop constraint receipt_batch_kind_check`,
  `alter table receipt_batch add constraint receipt_batch_kind_check check (kind in ('accepted', 'result', 'amended'))`,
  `-- Decided prices about which the public record of the source is asked again, until it says the same twice.
  create table record_check (${DECISION},
    noted_ms int8 not null,
    asked_ms int8,
    first_ms int8,
    first_reading text,
    read_ms int8,
    reading text,
    closed_ms int8,
    primary key (${DECISION_KEY}),
    constraint record_check_first_check check ((first_ms is null) = (first_reading is null)),
    constraint record_check_read_check check ((read_ms is null) = (reading is null) and (reading is null or reading = first_reading)),
    constraint record_check_closed_check check (closed_ms is null or read_ms is not null)
  )`,
  `create index record_check_unread on record_check (noted_ms) where read_ms is null`,
  `create index record_check_unclosed on record_check (read_ms) where closed_ms is null`,
  `-- A reading that was confirmed never changes.
  create function record_check_is_final() returns trigger language plpgsql as $$
  begin
    if old.read_ms is not null and (old.closed_ms is not null or to_jsonb(new) - 'closed_ms' <> to_jsonb(old) - 'closed_ms') then
      raise exception 'the record of this expiry was read';
    end if;
    return new;
  end $$`,
  `create trigger record_check_is_final before update on record_check for each row execute function record_check_is_final()`,
  ...RECORD_TIMES,
  `-- What users would have got in addition by the record. paid_ms is set together with the transfer.
  create table made_good (${DECISION},
    order_id uuid primary key,
    user_id uuid not null,
    result int2 not null check (result in (1, 3, 4)),
    amount int8 not null check (amount > 0),
    noted_ms int8 not null,
    due_ms int8 not null check (due_ms between noted_ms and noted_ms + 259200000),
    paid_ms int8 check (paid_ms >= due_ms)
  )`,
  `create index made_good_unpaid on made_good (due_ms) where paid_ms is null`,
  `create index made_good_paid on made_good (paid_ms) where paid_ms is not null`,
  `create index made_good_incident on made_good (source, expires_ms)`,
  ...OWED,
  ...PAID,
  `-- Decided prices that were compared with the record of their source: null until it answered.
  create table record_audit (${DECISION},
    chosen_ms int8 not null,
    asked_ms int8,
    is_equal boolean,
    primary key (${DECISION_KEY}),
    constraint record_audit_asked_check check (is_equal is null or asked_ms is not null)
  )`,
  `create index record_audit_open on record_audit (chosen_ms) where is_equal is null`,
  `-- Up to which decision prices were chosen.
  create table record_audit_mark (id int2 primary key check (id = 1), decided_ms int8 not null)`,
  `create index decided_price_decided on decided_price (decided_ms)`,
]

/** Payments for results that the record of the source contradicts. */
export const makeGood: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
