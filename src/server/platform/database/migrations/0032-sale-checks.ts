import { type Kysely, type Migration, sql } from 'kysely'

const STATEMENTS = [
  `create function half_even(value numeric, by numeric) returns numeric immutable language sql as $$
    select div(value, by) + case when 2 * mod(value, by) > by or 2 * mod(value, by) = by and mod(div(value, by), 2) = 1 then 1 else 0 end
  $$`,
  `-- A request is stored at its time, and names the end of the log and the terms of that time. Otherwise its price could be known. The
  -- clocks of two servers differ by less than a second.
  create function check_sale_moment() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if exists (select from tick_batch where written_ms > new.requested_ms + 1000)
      or exists (select from tick_batch where last_seq > new.head_seq and written_ms < new.requested_ms - 1000)
    then
      raise exception 'sale_request: the log has another time' using errcode = 'check_violation';
    end if;
    if new.terms_n is distinct from (
        select t.n from terms_entry t join open_order o on o.id = new.order_id join market_symbol s on s.id = o.symbol_id
        where t.kind = 'sale' and t.subject = s.code and t.applies_ms <= new.requested_ms order by t.n desc limit 1)
    then
      raise exception 'sale_request: other terms are in force' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger sale_request_moment after insert on sale_request deferrable initially deferred
    for each row execute function check_sale_moment()`,
  `-- The amounts follow from the chances and from the terms of the request.
  create function check_sale_amounts() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (
      select from sale_request r join terms_entry t on t.n = r.terms_n join order_history h on h.id = r.order_id
      where r.order_id = new.order_id and r.n = new.n and t.kind = 'sale'
        and new.gross = half_even(new.stake * ((10000 + h.profit_basis_points)::numeric * new.win + 10000::numeric * new.same), 1e13)
        and new.fee = half_even(new.stake::numeric * split_part(t.value, 'f', 2)::int4, 10000))
    then
      raise exception 'sale_end: other amounts follow from the chances and the terms' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
  `create constraint trigger sale_end_amounts after insert on sale_end deferrable initially deferred
    for each row when (new.reason is null) execute function check_sale_amounts()`,
  `-- A sale has its three transfers, each once: the step is unique for an order.
  create or replace function check_sale_transfer() returns trigger language plpgsql security definer set search_path from current as $$
  begin
    if not exists (select from sale_end e join sale_request r using (order_id, n)
        where e.order_id = new.ref and e.reason is null and r.user_id = new.user_id
          and (new.step, new.from_account, new.to_account, new.amount) = case new.kind
            when 'order_sold' then ('close'::text, 'staked'::text, 'house:trading'::text, e.stake)
            when 'order_sale' then ('sale'::text, 'house:trading'::text, 'cash'::text, e.gross)
            else ('sale_fee'::text, 'cash'::text, 'house:fees'::text, e.fee) end) then
      raise exception 'transfer: no sale' using errcode = 'check_violation';
    end if;
    return null;
  end $$`,
]

/** The database computes the amounts of a sale again, and checks its request against the tick log. */
export const saleChecks: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}
