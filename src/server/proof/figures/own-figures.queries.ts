import { sql } from 'kysely'
import { readResult, VOID } from '#core/orders/order.ts'
import type { OrderGroup } from '#core/figures/own-figures.ts'
import { assert } from '#core/result.ts'
import { type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import { zoneDay, zoneDayStart } from '#core/time/zone.ts'
import { NOT_OF_ORDERS } from '#server/ledger/not-of-orders.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export interface FiguresPeriod {
  readonly userId: string
  readonly from: Instant
  /** The first moment after the period. */
  readonly to: Instant
  readonly zone: string
}

export interface StoredFigures {
  readonly groups: readonly OrderGroup[]
  /** The average and median stake, without void orders, whose stakes were returned. Null without other orders. */
  readonly stakes: { readonly average: bigint; readonly median: bigint } | null
  /** The best and the worst net result, without void orders. Null without other orders. */
  readonly extremes: { readonly best: bigint; readonly worst: bigint } | null
  /** The net result after orders, in up to 125 steps. Each step has its first, last, lowest and highest value. */
  readonly line: readonly (readonly [ms: number, net: number])[]
  readonly maxSessionMs: number
}

/** 125 steps of at most four points, so a line has at most 500 points. */
const STEPS = 125
/** A session ends when no order was open or accepted for 30 minutes. */
const SESSION_GAP_MS = 30 * MINUTE_MS
const TIMEOUT_MS = 10_000

/** Returns when the user's first order ended. Null when no order has ended. */
export async function firstSettledAt(db: Db, userId: string): Promise<Instant | null> {
  const row = await db
    .selectFrom('order_history')
    .select('settled_ms')
    .where('user_id', '=', userId)
    .orderBy('settled_ms')
    .limit(1)
    .executeTakeFirst()
  return row === undefined ? null : instant(row.settled_ms)
}

/**
 * Returns when the first and the last order of a period ended. If no order ended in the period, both times are its
 * beginning.
 */
async function settledBetween(
  tx: Tx,
  { userId, from, to }: Pick<FiguresPeriod, 'userId' | 'from' | 'to'>,
): Promise<{ readonly first: Instant; readonly last: Instant }> {
  const row = await tx
    .selectFrom('order_history')
    .select(({ fn }) => [fn.min('settled_ms').as('first'), fn.max('settled_ms').as('last')])
    .where('user_id', '=', userId)
    .where('settled_ms', '>=', BigInt(from))
    .where('settled_ms', '<', BigInt(to))
    .executeTakeFirst()
  return { first: instant(row?.first ?? from), last: instant(row?.last ?? from) }
}

/** Returns the number of the user's newest result. */
export async function newestResult(db: Db, userId: string): Promise<number> {
  const row = await db.selectFrom('balance').select('results').where('user_id', '=', userId).executeTakeFirstOrThrow()
  return Number(row.results)
}

type JsonGroup = readonly [
  day: number,
  symbolId: number,
  seconds: number,
  result: number,
  orders: number,
  staked: string,
  net: string,
  returns: string,
]
type JsonPoint = readonly [place: number, net: number, ms: number]

/**
 * Reads the orders of a period once. If a statement takes longer than ten seconds, the database ends it with an error.
 */
export async function readFigures(tx: Tx, { userId, from, to, zone }: FiguresPeriod): Promise<StoredFigures> {
  await sql`select set_config('statement_timeout', ${String(TIMEOUT_MS)}, true)`.execute(tx)
  // Only the days from the first to the last order are computed. So a period of centuries costs no more than the
  // lifetime of the account.
  const settled = await settledBetween(tx, { userId, from, to })
  const firstDay = zoneDay(zone, settled.first)
  const days = zoneDay(zone, settled.last) - firstDay + 1
  const starts = Array.from({ length: days }, (_, at) => zoneDayStart(zone, firstDay + at))
  const { rows } = await sql<{
    groups: readonly JsonGroup[] | null
    points: readonly (readonly JsonPoint[])[] | null
    average: string | null
    median: string | null
    best: string | null
    worst: string | null
    session_ms: number | null
  }>`
    with o as materialized (
      select id, symbol_id, seconds, result, stake, result_amount, profit_basis_points, opened_ms, settled_ms
      from order_history
      where user_id = ${userId}::uuid and settled_ms >= ${from}::int8 and settled_ms < ${to}::int8),
    grouped as (
      select width_bucket(settled_ms, ${starts}::int8[]) as day, symbol_id, seconds, result, count(*) as orders,
        sum(stake) as staked, sum(result_amount) as net, sum(stake * (10000 + profit_basis_points)) as returns
      from o group by 1, 2, 3, 4),
    placed as (
      select settled_ms, row_number() over w as n, (sum(result_amount) over w)::int8 as net, count(*) over () as orders
      from o window w as (order by settled_ms, id rows unbounded preceding)),
    stepped as (
      select (n - 1) * ${STEPS}::int8 / orders as step, min(array[n, net, settled_ms]) as first,
        max(array[n, net, settled_ms]) as last, min(array[net, n, settled_ms]) as least,
        max(array[net, n, settled_ms]) as greatest
      from placed group by 1),
    gaps as (
      select opened_ms, settled_ms, id,
        max(settled_ms) over (order by opened_ms, id rows between unbounded preceding and 1 preceding) as before
      from o),
    sessions as (
      select opened_ms, settled_ms,
        count(*) filter (where opened_ms - before > ${SESSION_GAP_MS}::int8) over (order by opened_ms, id rows unbounded preceding)
          as session
      from gaps),
    lengths as (select max(settled_ms) - min(opened_ms) as ms from sessions group by session),
    valid as (select stake, result_amount from o where result <> ${VOID})
    select
      (select json_agg(json_build_array(day, symbol_id, seconds, result, orders, staked::text, net::text, returns::text))
        from grouped) as groups,
      (select json_agg(json_build_array(first, last, array[least[2], least[1], least[3]],
        array[greatest[2], greatest[1], greatest[3]])) from stepped) as points,
      (select round(avg(stake))::text from valid) as average,
      (select percentile_disc(0.5) within group (order by stake)::text from valid) as median,
      (select max(result_amount)::text from valid) as best, (select min(result_amount)::text from valid) as worst,
      (select max(ms)::float8 from lengths) as session_ms`.execute(tx)
  const [row] = rows
  assert(row, 'figures are one row')
  return {
    groups: (row.groups ?? []).map((group) => toGroup(group, firstDay)),
    stakes:
      row.average === null || row.median === null ? null : { average: BigInt(row.average), median: BigInt(row.median) },
    extremes: row.best === null || row.worst === null ? null : { best: BigInt(row.best), worst: BigInt(row.worst) },
    line: toLine((row.points ?? []).flat()),
    maxSessionMs: row.session_ms ?? 0,
  }
}

function toGroup(
  [day, symbolId, seconds, result, orders, staked, net, returns]: JsonGroup,
  firstDay: number,
): OrderGroup {
  return {
    // `width_bucket` gives the first day the number 1.
    day: firstDay + day - 1,
    symbolId,
    seconds,
    result: readResult(result),
    orders,
    staked: BigInt(staked),
    net: BigInt(net),
    returns: BigInt(returns),
  }
}

function toLine(points: readonly JsonPoint[]): [number, number][] {
  const byPlace = new Map(points.map((point) => [point[0], point]))
  return [...byPlace.values()].toSorted(([one], [other]) => one - other).map(([, net, ms]) => [ms, net])
}

/** Sums up deposits and paid withdrawals of a period, with their charges. Returned payments are deducted. */
export async function readPayments(
  tx: Tx,
  { userId, from, to }: FiguresPeriod,
): Promise<{ readonly deposits: bigint; readonly withdrawals: bigint }> {
  const { rows } = await sql<{ deposits: bigint; withdrawals: bigint }>`
    select coalesce(sum(amount) filter (where t.kind in ('deposit', 'demo_funds')), 0)::int8 as deposits,
      coalesce(sum(case when t.kind in ('withdrawal_returned', 'withdrawal_fee_returned') then -amount else amount end)
        filter (where t.kind in ('withdrawal_paid', 'withdrawal_fee', 'withdrawal_returned', 'withdrawal_fee_returned')),
        0)::int8 as withdrawals
    from transfer t
    where t.user_id = ${userId}::uuid and ${NOT_OF_ORDERS}
      and t.created_ms >= ${from}::int8 and t.created_ms < ${to}::int8`.execute(tx)
  return rows[0] ?? { deposits: 0n, withdrawals: 0n }
}
