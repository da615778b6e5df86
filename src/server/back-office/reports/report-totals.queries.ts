import { sql } from 'kysely'
import { NOT_OF_ORDERS } from '#server/ledger/not-of-orders.ts'
import {
  createdWithin,
  DAY,
  flowsWith,
  TOTAL_DIMENSIONS,
  SLOT,
  SLOTS_PER_DAY,
} from '#server/back-office/reports/report-flows.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** The source in `day_total_mark` whose row stores how far the transfers are counted for reports. */
export const REPORTS = 'reports'

/**
 * Adds the transfers between two instants to the totals of days and quarters of an hour, and notes on which days each
 * user placed orders or made deposits.
 */
export async function addTransfers(tx: Tx, from: number, until: number): Promise<void> {
  const dimensions = sql.join(TOTAL_DIMENSIONS.map((one) => sql.ref(one)))
  const values = sql.join(TOTAL_DIMENSIONS.map((one) => sql`(${sql.lit(one)}, ${sql.ref(one)})`))
  await sql`
    with flows as materialized (${flowsWith(TOTAL_DIMENSIONS, createdWithin(from, until))}),
    combined as materialized (
      select (created_ms / ${DAY})::int4 as day, kind, is_bot, ${dimensions}, count(*) as count, sum(amount) as amount
      from flows group by 1, 2, 3, ${dimensions}),
    slots as (
      insert into report_slot as kept (slot, kind, is_bot, count, amount)
      select (created_ms / ${SLOT})::int4, kind, is_bot, count(*), sum(amount)::int8 from flows group by 1, 2, 3
      on conflict (slot, kind, is_bot)
        do update set count = kept.count + excluded.count, amount = kept.amount + excluded.amount),
    days as (
      insert into report_user_days as kept (kind, block, user_id, is_bot, days)
      select kind, (created_ms / ${DAY} / 32)::int4, user_id, is_bot, bit_or(1::int8 << (created_ms / ${DAY} % 32)::int4)
      from flows where kind in ('order_stake', 'deposit') group by 1, 2, 3, 4
      on conflict (kind, block, user_id) do update set days = kept.days | excluded.days),
    users as (
      insert into report_user_day as kept (kind, day, user_id, is_bot, first_ms, last_ms)
      select kind, (created_ms / ${DAY})::int4, user_id, is_bot, min(created_ms), max(created_ms)
      from flows where kind in ('order_stake', 'deposit') group by 1, 2, 3, 4
      on conflict (kind, day, user_id) do update
        set first_ms = least(kept.first_ms, excluded.first_ms), last_ms = greatest(kept.last_ms, excluded.last_ms))
    insert into report_day as kept (day, dimension, value, kind, is_bot, count, amount)
    select day, d.dimension, d.value, kind, is_bot, sum(count)::int8, sum(amount)::int8
    from combined cross join lateral (values ('all', ''), ${values}) as d(dimension, value)
    group by 1, 2, 3, 4, 5
    on conflict (dimension, day, value, kind, is_bot)
      do update set count = kept.count + excluded.count, amount = kept.amount + excluded.amount`.execute(tx)
}

/** Deletes the totals of a day, before the day is counted again. */
export async function forgetTransfers(tx: Tx, day: number): Promise<void> {
  await sql`delete from report_day where dimension in ('all', ${sql.join(TOTAL_DIMENSIONS)}) and day = ${day}::int4`.execute(
    tx,
  )
  await sql`delete from report_slot where slot >= ${day}::int4 * ${SLOTS_PER_DAY} and slot < (${day}::int4 + 1) * ${SLOTS_PER_DAY}`.execute(
    tx,
  )
  await sql`delete from report_user_day where kind in ('order_stake', 'deposit') and day = ${day}::int4`.execute(tx)
  const bit = sql`(1::int8 << (${day}::int4 % 32))`
  await sql`update report_user_days set days = days & ~${bit}
    where kind in ('order_stake', 'deposit') and block = ${day}::int4 / 32 and days & ${bit} <> 0`.execute(tx)
}

/**
 * Returns the time of the first transfer, or null when there is none. The first transfer belongs to no order, because
 * an order needs a balance. So the query can use a partial index without order transfers.
 */
export async function findFirstTransfer(db: Db): Promise<number | null> {
  const { rows } = await sql<{ first: bigint | null }>`
    select min(created_ms) as first from transfer t where ${NOT_OF_ORDERS}`.execute(db)
  const first = rows[0]?.first ?? null
  return first === null ? null : Number(first)
}
