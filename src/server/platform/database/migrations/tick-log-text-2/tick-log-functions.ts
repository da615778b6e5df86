/**
 * Packing and retention of the tick log, for batches in either of its two text formats. docs/reference/tick-log.md
 * explains the formats.
 */
export const TICK_LOG_FUNCTIONS: readonly string[] = [
  `drop function tick_pack_batches(tick_pack)`,
  `drop function tick_text_in(text)`,
  `drop function tick_text_out(text[], bytea)`,
  `-- The headers of consecutive batches of text 2 where they change, and the lines without a place.
create function tick_notes_in(payload text, out headers text[], out notes text[])
 returns record
 language sql
 stable
 set search_path from current
as $function$
    with line as (
      select n, line, left(line, 2) as mark, count(*) filter (where left(line, 2) = '2 ') over w as batch,
        count(*) filter (where left(line, 2) in ('t ', 'e ')) over w as places
      from string_to_table(payload, E'\\n') with ordinality as t (line, n) where line <> ''
      window w as (order by n)
    ),
    header as (select n, batch, line, lag(line) over (order by n) as before from line where mark = '2 ')
    select
      (select coalesce(array_agg(batch || ' ' || line order by n), '{}') from header where line is distinct from before),
      (select coalesce(array_agg(places || ' ' || line order by n), '{}') from line where mark in ('x ', 'u '))
    $function$`,
  `-- series names each symbol with its source once. A tick refers to it and stores only the difference to the tick before.
create function tick_text_in(payload text, has_headers boolean, out series text[], out body bytea)
 returns record
 language sql
 stable
 set search_path from current
as $function$
    with line as (
      select n, string_to_array(case when has_headers then substr(line, 3) else line end, ' ') as f
      from string_to_table(payload, E'\\n') with ordinality as t (line, n)
      where line <> '' and (not has_headers or left(line, 2) in ('t ', 'e '))
    ),
    tick as (
      select n, f[2] || ' ' || f[7] as name, f[4] as volume, f[6]::int8 - f[5]::int8 as late,
        f[3]::int8 - lag(f[3]::int8, 1, 0::int8) over (partition by f[2], f[7] order by n) as price,
        f[6]::int8 - lag(f[6]::int8, 1, 0::int8) over (order by n) as received,
        f[8] as ref, nullif(f[8], '-')::int8 -
          lag(nullif(f[8], '-')::int8, 1, 0::int8) over (partition by f[2], f[7], f[8] = '-' order by n) as ref_step
      from line
    ),
    named as (
      select coalesce(array_agg(name order by at), '{}') as names
      from (select name, min(n) as at from tick group by name) s
    )
    select names, tick_numbers_in(coalesce(
      string_agg((array_position(names, name) - 1)::text, ' ' order by n) || E'\\n' ||
      string_agg(price::text, ' ' order by n) || E'\\n' || string_agg(volume, ' ' order by n) || E'\\n' ||
      string_agg(received::text, ' ' order by n) || E'\\n' || string_agg(late::text, ' ' order by n) ||
      case when bool_or(ref <> '-')
        then E'\\n' || string_agg(coalesce(ref_step::text, '-'), ' ' order by n) else '' end, ''))
    from named left join tick on true group by names $function$`,
  `create function tick_text_out(series text[], body bytea)
 returns table(place int8, line text, time_ms int8, ref text)
 language sql
 stable
 set search_path from current
as $function$
    with tick as (
      select n, string_to_array(series[which + 1], ' ') as name, volume, late, ref_step <> '-' as has_ref,
        sum(price) over (partition by which order by n)::int8 as price,
        sum(received) over (order by n)::int8 as received,
        sum(nullif(ref_step, '-')::int8) over (partition by which order by n)::int8 as ref
      from (select tick_numbers_out(body) as c) columns, unnest(
        string_to_array(c[1], ' ')::int4[], string_to_array(c[2], ' ')::int8[], string_to_array(c[3], ' '),
        string_to_array(c[4], ' ')::int8[], string_to_array(c[5], ' ')::int8[], string_to_array(c[6], ' ')
      ) with ordinality as t (which, price, volume, received, late, ref_step, n)
    )
    select n, name[1] || ' ' || price || ' ' || volume || ' ' || received - late || ' ' || received || ' ' || name[2],
      received - late, case when has_ref then ref::text else '-' end
    from tick $function$`,
  `-- The batches of a pack that still holds all its ticks. A header stands with the number of its first batch, a line without a
-- place with the number of places before it.
create function tick_pack_batches(pack tick_pack)
 returns table(first_seq int8, last_seq int8, written_ms int8, first_time_ms int8, last_time_ms int8, payload text)
 language sql
 stable
 set search_path from current
as $function$
    with head as (
      select n, sum(ticks) over (order by n) - ticks as before, ticks, sum(written) over (order by n)::int8 as written
      from (select tick_numbers_out(pack.heads) as c) columns, unnest(
        string_to_array(c[1], ' ')::int8[], string_to_array(c[2], ' ')::int8[]
      ) with ordinality as t (ticks, written, n)
    ),
    header as (
      select split_part(line, ' ', 1)::int8 as since, substr(line, strpos(line, ' ') + 1) as text
      from unnest(pack.headers) as line
    ),
    note as (
      select split_part(line, ' ', 1)::int8 + 1 as place,
        string_agg(substr(line, strpos(line, ' ') + 1) || E'\\n', '' order by n) as text
      from unnest(pack.notes) with ordinality as t (line, n) group by 1
    ),
    batch as (
      select h.*, (select text from header where since <= n order by since desc limit 1) as header from head h
    ),
    place as (
      select (pack.first_seq + before)::int8 as first, ticks, written, header, (before + k)::int8 as place
      from batch cross join lateral generate_series(1, ticks) as k
    )
    select first, first + ticks - 1, written, min(time_ms), max(time_ms),
      coalesce(header || E'\\n', '') || string_agg(
        coalesce(note.text, '') || case when header is null then '' when header like '2 late %' then 'e ' else 't ' end ||
          (pack.first_seq + place - 1) || ' ' || line || case when header is null then '' else ' ' || ref end || E'\\n',
        '' order by place)
    from place join tick_text_out(pack.series, pack.body) using (place) left join note using (place)
    group by first, ticks, written, header $function$`,
  `-- Deletes the payloads of one pack: the oldest that was written before a time and has not been examined. Each batch keeps its
-- head. These ticks stay: the newest two days by the log itself, not by a clock; ticks that an order or a price refers to; 10 s
-- around each expiry, and 10 minutes while it has open orders; late evidence. Returns the number of batches, or null when no pack was due.
create or replace function drop_ticks(before_ms int8)
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
      kept_text text;
      new_headers text[];
      new_notes text[];
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
        select b.first_seq, b.last_seq, b.first_time_ms, b.last_time_ms, b.payload like '2 late %' as is_late,
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
      where is_late
        or exists (select from named where seq between b.first_seq and b.last_seq)
        or (select places from needed) && int8range(b.first_seq, b.last_seq, '[]')
        or exists (select from without where until_seq >= b.first_seq and since_ms <= b.next_ms)
        or exists (select from shown where since <= b.last_time_ms and until >= b.first_time_ms);

      select coalesce(string_agg(payload, '' order by first_seq), '') into kept_text from tick_pack_batches(pack)
      where first_seq = any (kept);
      select t.series, t.body into new_series, new_body from tick_text_in(kept_text, pack.headers is not null) t;
      if pack.headers is not null then
        select t.headers, t.notes into new_headers, new_notes from tick_notes_in(kept_text) t;
      end if;
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
      update tick_pack set series = new_series, heads = tick_numbers_in(new_heads), body = new_body, hashes = all_hashes,
        headers = new_headers, notes = new_notes
      where first_seq = pack.first_seq;
      return batches - cardinality(kept);
    end $function$`,
  `-- Packs the oldest batches of one text written before a time, about most_ticks of them. The newest batch always stays. Returns the number
-- of batches.
create or replace function pack_ticks(before_ms int8, most_ticks int4)
 returns int4
 language plpgsql
 security definer
 set search_path from current
as $function$
    declare
      through int8;
      pack tick_pack;
      packed int4;
      whole_text text;
    begin
      perform pg_advisory_xact_lock(7204119);
      select max(first_seq) into through from (
        select first_seq, last_seq, max(written_ms) over w as newest, min(first_seq) over w as start,
          max(last_time_ms) over w - min(first_time_ms) over w as span, bool_and(form = first_form) over w as has_one_form
        from (
          select *, first_value(form) over (order by first_seq) as first_form
          from tick_batch order by first_seq limit 2000
        ) oldest
        where first_seq < (select max(first_seq) from tick_batch)
        window w as (order by first_seq)
      ) b
      where newest < before_ms and has_one_form and (first_seq = start or (span <= 600000 and last_seq - start < most_ticks));
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
      select string_agg(payload, '' order by first_seq) into whole_text from tick_batch where first_seq <= through;
      if (select form from tick_batch where first_seq = pack.first_seq) = 2 then
        select t.headers, t.notes into pack.headers, pack.notes from tick_notes_in(whole_text) t;
      end if;
      select t.series, t.body into pack.series, pack.body from tick_text_in(whole_text, pack.headers is not null) t;
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
]
