import { type Kysely, type Migration, sql } from 'kysely'

/** Retention keeps everything needed to check the receipts of an order, and otherwise no more of the log than before. */
export const keptEvidence: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db)
  },
}

const STATEMENTS = [
  // The check of a receipt needs ranges of the log: from the entry to the head at acceptance, and from the exit to the head at the
  // decision. Nearly all are short and are found by their beginning. The few long ones, of symbols with rare prices, and expiries without
  // an exit have small indexes of their own.
  `create index open_order_long on open_order using gist (int8range(entry_seq, greatest(entry_seq, head_seq), '[]'))
    where head_seq - entry_seq > 10000`,
  `create index order_history_long on order_history using gist (int8range(entry_seq, greatest(entry_seq, head_seq), '[]'))
    where head_seq - entry_seq > 10000`,
  `create index settlement_price_long on settlement_price using gist (int8range(exit_seq, greatest(exit_seq, head_seq), '[]'))
    where head_seq - exit_seq > 10000`,
  `create index settlement_price_without on settlement_price (head_seq) where exit_seq is null and head_seq is not null`,

  // The ranges of the log, by sequence numbers, that receipts need and that overlap these sequence numbers.
  `create function receipt_stretches(from_seq int8, to_seq int8) returns table (since_seq int8, until_seq int8)
    language sql stable set search_path from current as $$
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
      and head_seq - exit_seq > 10000 $$`,

  // The proof that an expiry had no price: from the last batch written before any price could have counted (prices may be 5 s ahead of
  // their time) to the head at the decision.
  `create function void_stretches(from_seq int8, to_ms int8) returns table (since_ms int8, until_seq int8)
    language sql stable set search_path from current as $$
    select expires_ms - max_tick_age_ms - 5000, head_seq from settlement_price
    where exit_seq is null and head_seq >= from_seq and expires_ms - max_tick_age_ms - 5000 <= to_ms $$`,

  // As before, with these ranges. Also keeps what an open order may still need: its price is at most ten minutes old.
  `create or replace function drop_ticks(before_ms int8) returns int4 language plpgsql security definer
    set search_path from current as $$
    declare
      pack tick_pack;
      one record;
      last_hash bytea;
      all_hashes bytea := '';
      kept int8[];
      batches int4 := 0;
      new_series text[];
      new_body bytea;
      new_heads text;
      after_ms int8;
    begin
      perform pg_advisory_xact_lock(7204119);
      select * into pack from tick_pack
      where hashes is null
        and written_ms < least(before_ms, (select written_ms - 172800000 from tick_batch order by first_seq desc limit 1))
      order by first_seq limit 1;
      if not found then return null; end if;

      last_hash := pack.previous_hash;
      for one in select * from tick_pack_batches(pack) order by first_seq loop
        last_hash := sha256(last_hash || convert_to(one.payload, 'UTF8'));
        all_hashes := all_hashes || last_hash;
        batches := batches + 1;
      end loop;
      if last_hash <> pack.hash then
        raise exception 'the tick log from % to % is not as it was written', pack.first_seq, pack.last_seq;
      end if;

      -- When the batch that follows was written.
      select coalesce(
        (select split_part((tick_numbers_out(heads))[2], ' ', 1)::int8 from tick_pack where first_seq = pack.last_seq + 1),
        (select written_ms from tick_batch where first_seq = pack.last_seq + 1),
        9223372036854775807) into after_ms;

      with batch as materialized (
        select b.first_seq, b.last_seq, b.first_time_ms, b.last_time_ms,
          lead(b.written_ms, 1, after_ms) over (order by b.first_seq) as next_ms
        from tick_pack_batches(pack) b
      ),
      named as materialized (select seq from tick_references(pack.first_seq, pack.last_seq) as r (seq)),
      needed as materialized (
        select range_agg(int8range(since_seq, until_seq, '[]')) as places
        from receipt_stretches(pack.first_seq, pack.last_seq)
      ),
      without as materialized (select distinct * from void_stretches(pack.first_seq, after_ms)),
      shown as materialized (
        select expires_ms - 10000 as since, expires_ms + 10000 as until from settlement_price
        where expires_ms between pack.first_time_ms - 10000 and pack.last_time_ms + 10000
        union
        select expires_ms - 665000, expires_ms + 665000 from open_order
        where expires_ms between pack.first_time_ms - 665000 and pack.last_time_ms + 665000
      )
      select coalesce(array_agg(b.first_seq), '{}') into kept from batch b
      where exists (select from named where seq between b.first_seq and b.last_seq)
        or (select places from needed) && int8range(b.first_seq, b.last_seq, '[]')
        or exists (select from without where until_seq >= b.first_seq and since_ms <= b.next_ms)
        or exists (select from shown where since <= b.last_time_ms and until >= b.first_time_ms);

      select t.series, t.body into new_series, new_body from tick_text_in((
        select coalesce(string_agg(payload, '' order by first_seq), '') from tick_pack_batches(pack)
        where first_seq = any (kept)
      )) t;
      select string_agg((last_seq - first_seq + 1)::text, ' ' order by first_seq) || E'\\n' ||
        string_agg(after::text, ' ' order by first_seq) || E'\\n' ||
        string_agg(case when first_seq = any (kept) then '1' else '0' end, ' ' order by first_seq) || E'\\n' ||
        string_agg(since::text, ' ' order by first_seq) || E'\\n' ||
        string_agg((last_time_ms - first_time_ms)::text, ' ' order by first_seq)
      into new_heads
      from (
        select *, written_ms - lag(written_ms, 1, 0::int8) over w as after,
          first_time_ms - lag(first_time_ms, 1, 0::int8) over w as since
        from tick_pack_batches(pack) window w as (order by first_seq)
      ) b;
      update tick_pack set series = new_series, heads = tick_numbers_in(new_heads), body = new_body, hashes = all_hashes
      where first_seq = pack.first_seq;
      return batches - cardinality(kept);
    end $$`,
]
