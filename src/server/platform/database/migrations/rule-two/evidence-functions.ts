/**
 * Database functions that find the ticks which the tick log must keep as evidence of results. They also read the prices
 * that were decided by rule
 * 2.
 */
export const EVIDENCE_FUNCTIONS = [
  `create or replace function tick_references(from_seq int8, to_seq int8)
 returns setof int8
 language sql
 stable
 set search_path from current
as $function$
    select entry_seq from open_order where entry_seq between from_seq and to_seq
    union select entry_seq from order_history where entry_seq between from_seq and to_seq
    union select exit_seq from order_history where exit_seq between from_seq and to_seq
    union select exit_seq from settlement_price where exit_seq between from_seq and to_seq
    union select next_seq from settlement_price where next_seq between from_seq and to_seq
    union select exit_seq from decided_price where exit_seq between from_seq and to_seq
    union select next_seq from decided_price where next_seq between from_seq and to_seq $function$`,
  `create or replace function receipt_stretches(from_seq int8, to_seq int8)
 returns table(since_seq int8, until_seq int8)
 language sql
 stable
 set search_path from current
as $function$
    select entry_seq, greatest(entry_seq, head_seq) from open_order where entry_seq <= to_seq and head_seq >= from_seq
    union
    select entry_seq, head_seq from order_history
    where entry_seq between from_seq - 10000 and to_seq and head_seq >= from_seq and head_seq - entry_seq <= 10000
    union
    select entry_seq, head_seq from order_history
    where int8range(entry_seq, greatest(entry_seq, head_seq), '[]') && int8range(from_seq, to_seq, '[]')
      and head_seq - entry_seq > 10000
    union
    select exit_seq, head_seq from settlement_price
    where exit_seq between from_seq - 10000 and to_seq and head_seq >= from_seq and head_seq - exit_seq <= 10000
    union
    select exit_seq, head_seq from settlement_price
    where int8range(exit_seq, greatest(exit_seq, head_seq), '[]') && int8range(from_seq, to_seq, '[]')
      and head_seq - exit_seq > 10000
    union
    select d.since_seq, d.head_seq from decided_price d
    where d.since_seq between from_seq - 10000 and to_seq and d.head_seq >= from_seq and d.head_seq - d.since_seq <= 10000
    union
    select d.since_seq, d.head_seq from decided_price d
    where int8range(d.since_seq, greatest(d.since_seq, d.head_seq), '[]') && int8range(from_seq, to_seq, '[]')
      and d.head_seq - d.since_seq > 10000 $function$`,
  `create or replace function void_stretches(from_seq int8, to_ms int8)
 returns table(since_ms int8, until_seq int8)
 language sql
 stable
 set search_path from current
as $function$
    select expires_ms - max_tick_age_ms - 5000, head_seq from settlement_price
    where exit_seq is null and head_seq >= from_seq and expires_ms - max_tick_age_ms - 5000 <= to_ms
    union
    select expires_ms - max_tick_age_ms - 5000, head_seq from decided_price
    where exit_seq is null and head_seq >= from_seq and expires_ms - max_tick_age_ms - 5000 <= to_ms $function$`,
  `-- Ticks around each decided expiry stay for the charts of orders.
do $$
declare
  before text := 'select expires_ms - 10000 as since, expires_ms + 10000 as until from settlement_price
        where expires_ms between pack.first_time_ms - 10000 and pack.last_time_ms + 10000';
  definition text := pg_get_functiondef('drop_ticks(int8)'::regprocedure);
begin
  if position(before in definition) = 0 then
    raise exception 'drop_ticks does not have the expected text';
  end if;
  execute replace(definition, before, before || ' union ' || replace(before, 'settlement_price', 'decided_price'));
end $$`,
]
