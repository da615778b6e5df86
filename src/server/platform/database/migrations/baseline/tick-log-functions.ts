import type { BaselineRoom } from '#server/platform/database/migrations/baseline/baseline-room.ts'

/** Packing and retention of the tick log, which only the database may do. */
export const tickLogFunctions: BaselineRoom = {
  functions: [
    `-- Columns of whole numbers, half a byte a character: digits, end of number, minus, end of column.
create function tick_numbers_in(numbers text)
 returns bytea
 language sql
 immutable
as $function$ select decode(translate(numbers, E' -\\n', 'abc') || repeat('f', length(numbers) % 2), 'hex') $function$`,
    `create function tick_numbers_out(packed bytea)
 returns text[]
 language sql
 immutable
as $function$ select string_to_array(translate(rtrim(encode(packed, 'hex'), 'f'), 'abc', E' -\\n'), E'\\n') $function$`,
    `-- The batches of a pack that still holds all its ticks.
create function tick_pack_batches(pack tick_pack)
 returns table(first_seq int8, last_seq int8, written_ms int8, first_time_ms int8, last_time_ms int8, payload text)
 language sql
 stable
 set search_path from current
as $function$
    with head as (
      select sum(ticks) over (order by n) - ticks as before, ticks, sum(written) over (order by n)::int8 as written
      from (select tick_numbers_out(pack.heads) as c) columns, unnest(
        string_to_array(c[1], ' ')::int8[], string_to_array(c[2], ' ')::int8[]
      ) with ordinality as t (ticks, written, n)
    ),
    place as (
      select (pack.first_seq + before)::int8 as first, ticks, written, (before + k)::int8 as place
      from head cross join lateral generate_series(1, ticks) as k
    )
    select first, first + ticks - 1, written, min(time_ms), max(time_ms),
      string_agg((pack.first_seq + place - 1) || ' ' || line || E'\\n', '' order by place)
    from place join tick_text_out(pack.series, pack.body) using (place)
    group by first, ticks, written $function$`,
    `-- Places in the log that an order, or the price of an expiry, refers to.
create function tick_references(from_seq int8, to_seq int8)
 returns setof int8
 language sql
 stable
 set search_path from current
as $function$
    select entry_seq from open_order where entry_seq between from_seq and to_seq
    union select entry_seq from order_history where entry_seq between from_seq and to_seq
    union select exit_seq from order_history where exit_seq between from_seq and to_seq
    union select exit_seq from settlement_price where exit_seq between from_seq and to_seq
    union select next_seq from settlement_price where next_seq between from_seq and to_seq $function$`,
    `-- series names each symbol with its source once. A tick refers to it and stores only the difference to the tick before.
create function tick_text_in(payload text, out series text[], out body bytea)
 returns record
 language sql
 stable
 set search_path from current
as $function$
    with line as (
      select n, string_to_array(line, ' ') as f
      from string_to_table(payload, E'\\n') with ordinality as t (line, n) where line <> ''
    ),
    tick as (
      select n, f[2] || ' ' || f[7] as name, f[4] as volume, f[6]::int8 - f[5]::int8 as late,
        f[3]::int8 - lag(f[3]::int8, 1, 0::int8) over (partition by f[2], f[7] order by n) as price,
        f[6]::int8 - lag(f[6]::int8, 1, 0::int8) over (order by n) as received
      from line
    ),
    named as (
      select coalesce(array_agg(name order by at), '{}') as names
      from (select name, min(n) as at from tick group by name) s
    )
    select names, tick_numbers_in(coalesce(
      string_agg((array_position(names, name) - 1)::text, ' ' order by n) || E'\\n' ||
      string_agg(price::text, ' ' order by n) || E'\\n' || string_agg(volume, ' ' order by n) || E'\\n' ||
      string_agg(received::text, ' ' order by n) || E'\\n' || string_agg(late::text, ' ' order by n), ''))
    from named left join tick on true group by names $function$`,
    `create function tick_text_out(series text[], body bytea)
 returns table(place int8, line text, time_ms int8)
 language sql
 stable
 set search_path from current
as $function$
    with tick as (
      select n, string_to_array(series[which + 1], ' ') as name, volume, late,
        sum(price) over (partition by which order by n)::int8 as price,
        sum(received) over (order by n)::int8 as received
      from (select tick_numbers_out(body) as c) columns, unnest(
        string_to_array(c[1], ' ')::int4[], string_to_array(c[2], ' ')::int8[], string_to_array(c[3], ' '),
        string_to_array(c[4], ' ')::int8[], string_to_array(c[5], ' ')::int8[]
      ) with ordinality as t (which, price, volume, received, late, n)
    )
    select n, name[1] || ' ' || price || ' ' || volume || ' ' || received - late || ' ' || received || ' ' || name[2],
      received - late
    from tick $function$`,
    `-- Deletes the payloads of one pack: the oldest that was written before a time and has not been examined. Each batch keeps its
-- head. These ticks stay: the newest two days by the log itself, not by a clock; ticks that an order or a price refers to; 10 s
-- around each expiry, and 10 minutes while it has open orders. Returns the number of batches, or null when no pack was due.
create function drop_ticks(before_ms int8)
 returns int4
 language plpgsql
 security definer
 set search_path from current
as $function$
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
    end $function$`,
    `-- Packs the oldest batches written before a time, about most_ticks of them. The newest batch always stays. Returns the number
-- of batches.
create function pack_ticks(before_ms int8, most_ticks int4)
 returns int4
 language plpgsql
 security definer
 set search_path from current
as $function$
    declare
      through int8;
      pack tick_pack;
      packed int4;
    begin
      perform pg_advisory_xact_lock(7204119);
      select max(first_seq) into through from (
        select first_seq, last_seq, max(written_ms) over w as newest, min(first_seq) over w as start,
          max(last_time_ms) over w - min(first_time_ms) over w as span
        from (select * from tick_batch order by first_seq limit 2000) oldest
        where first_seq < (select max(first_seq) from tick_batch)
        window w as (order by first_seq)
      ) b
      where newest < before_ms and (first_seq = start or (span <= 600000 and last_seq - start < most_ticks));
      if through is null then return 0; end if;

      select min(first_seq), max(last_seq), min(first_time_ms), max(last_time_ms), max(written_ms),
        (array_agg(previous_hash order by first_seq))[1], (array_agg(hash order by first_seq desc))[1],
        tick_numbers_in(string_agg((last_seq - first_seq + 1)::text, ' ' order by first_seq) || E'\\n' ||
          string_agg(after::text, ' ' order by first_seq))
      into pack.first_seq, pack.last_seq, pack.first_time_ms, pack.last_time_ms, pack.written_ms,
        pack.previous_hash, pack.hash, pack.heads
      from (
        select *, written_ms - lag(written_ms, 1, 0::int8) over (order by first_seq) as after
        from tick_batch where first_seq <= through
      ) b;
      select t.series, t.body into pack.series, pack.body
      from tick_text_in((select string_agg(payload, '' order by first_seq) from tick_batch where first_seq <= through)) t;
      insert into tick_pack select pack.*;

      if exists (
        select from (
          select *, lag(hash) over w as hash_before, lag(last_seq) over w as seq_before
          from tick_batch where first_seq <= through window w as (order by first_seq)
        ) b
        left join tick_pack_batches(pack) p on p.first_seq = b.first_seq
        where p.payload is distinct from b.payload or p.last_seq <> b.last_seq or p.written_ms <> b.written_ms
          or p.first_time_ms <> b.first_time_ms or p.last_time_ms <> b.last_time_ms
          or sha256(b.previous_hash || convert_to(b.payload, 'UTF8')) <> b.hash
          or b.previous_hash <> b.hash_before or b.first_seq <> b.seq_before + 1
      ) then
        raise exception 'the tick log from % to % is not as it was written', pack.first_seq, pack.last_seq;
      end if;
      delete from tick_batch where first_seq <= through;
      get diagnostics packed = row_count;
      return packed;
    end $function$`,
  ],
}
