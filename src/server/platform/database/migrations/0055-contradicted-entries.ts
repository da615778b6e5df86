import { type Kysely, type Migration, sql } from 'kysely'

/**
 * If the record of a provider contradicts the entry price of an order, the order is made good by the entry price in the
 * record.
 */
export const contradictedEntries: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql
      .raw(
        `create or replace function missed_by_record(o order_history, reading text) returns table (result int4, amount int8)
        language sql set search_path from current as $$
          select r.result, credit_of(r.result, o) - credit_of(o.result, o)
          from (select (reading::jsonb #>> '{last,price}')::int8 as price, (reading::jsonb #>> '{last,time_ms}')::int8 as at) l,
            lateral (select coalesce((select (e ->> 'price')::int8
              from jsonb_array_elements(reading::jsonb -> 'entries') e where (e ->> 'of')::int8 = o.entry_ref),
              o.entry_price) as price) b,
            lateral (select case
              when l.at is null or l.at < o.expires_ms - o.max_tick_age_ms then 4 when l.price = b.price then 3
              when (l.price > b.price) = (o.direction = 1) then 1 else 2 end as result) r
          where o.result <> 5
        $$`,
      )
      .execute(db)
  },
}
