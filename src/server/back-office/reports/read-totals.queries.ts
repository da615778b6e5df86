import { type RawBuilder, sql } from 'kysely'
import { DAY_MS, type Instant, instant } from '#core/time/instant.ts'
import type { KindTotal } from '#core/reports/report-lines.ts'
import {
  createdWithin,
  DAY,
  flowsWith,
  IS_BOT,
  OF_MONEY,
  type TotalDimension,
  SLOT,
  SLOTS_PER_DAY,
} from '#server/back-office/reports/report-flows.queries.ts'
import { REPORTS } from '#server/back-office/reports/report-totals.queries.ts'
import type { Tx } from '#server/platform/database/tables.ts'

export interface CountMark {
  /**
   * The totals contain all transfers before this time, except for transfers that committed after they should have been
   * counted.
   */
  readonly countedUntil: Instant
  /** Days before this time were compared with the transfers. */
  readonly closedUntil: Instant
}

export async function readMark(tx: Tx): Promise<CountMark> {
  const mark = await tx
    .selectFrom('day_total_mark')
    .select(['counted_until_ms', 'closed_until_ms'])
    .where('source', '=', REPORTS)
    .executeTakeFirst()
  return { countedUntil: instant(mark?.counted_until_ms ?? 0), closedUntil: instant(mark?.closed_until_ms ?? 0) }
}

/** The total of one kind of transfer, for users or for bots, in one part of a period. */
export interface PartTotal extends KindTotal {
  readonly part: number
  readonly isBot: boolean
}

/**
 * Adds up all transfers by the parts that `bounds` divide time into: part 0 ends at the first bound, part 1 begins
 * there. Whole days use the totals by day. Days with a bound inside use the totals by quarter of an hour. The time
 * since `totalsUntil` uses the transfers.
 */
export async function readParts(tx: Tx, bounds: readonly Instant[], totalsUntil: Instant): Promise<PartTotal[]> {
  const split = [...new Set(bounds.filter((bound) => bound % DAY_MS !== 0).map((bound) => Math.floor(bound / DAY_MS)))]
  const { rows } = await sql<{ part: number; kind: string; is_bot: boolean; amount: bigint }>`
    select width_bucket(at, ${list(bounds)}::int8[]) as part, kind, is_bot, sum(amount)::int8 as amount
    from (
      select day::int8 * ${DAY} as at, kind, is_bot, amount from report_day
      where dimension = 'all' and day <> all(${list(split)}::int4[]) and day::int8 * ${DAY} < ${totalsUntil}::int8
      union all
      select s.slot::int8 * ${SLOT}, s.kind, s.is_bot, s.amount
      from unnest(${list(split)}::int4[]) as day
      join report_slot s on s.slot >= day * ${SLOTS_PER_DAY} and s.slot < (day + 1) * ${SLOTS_PER_DAY}
      where s.slot::int8 * ${SLOT} < ${totalsUntil}::int8
      union all
      select t.created_ms, t.kind, ${IS_BOT}, t.amount from transfer t where ${OF_MONEY} and t.created_ms >= ${totalsUntil}::int8
    ) as counted group by 1, 2, 3`.execute(tx)
  return rows.map(({ part, kind, is_bot: isBot, amount }) => ({ part, kind, isBot, amount }))
}

/** The total of one kind of transfer, for users or for bots, for one value of a dimension. */
export interface ValueTotal extends KindTotal {
  readonly value: string
  readonly isBot: boolean
}

/**
 * Adds up the transfers of a period by the values of a dimension: whole days use the totals by day, partial days and
 * the time since `totalsUntil` the transfers.
 */
export async function readValues(
  tx: Tx,
  dimension: TotalDimension,
  { start, end, totalsUntil }: { readonly start: Instant; readonly end: Instant; readonly totalsUntil: Instant },
): Promise<ValueTotal[]> {
  const firstDay = Math.ceil(start / DAY_MS)
  const lastDay = Math.max(Math.floor(end / DAY_MS), firstDay)
  const [daysStart, daysEnd] = [firstDay * DAY_MS, lastDay * DAY_MS]
  const ranges: readonly (readonly [number, number])[] = [
    [start, Math.min(daysStart, end)],
    [Math.max(daysEnd, start), end],
    [Math.max(daysStart, totalsUntil), daysEnd],
  ]
  const raw = ranges
    .filter(([from, until]) => from < until)
    .map(
      ([from, until]) => sql`
      union all select f.${sql.ref(dimension)}, f.kind, f.is_bot, f.amount
      from (${flowsWith([dimension], createdWithin(from, until))}) f`,
    )
  const { rows } = await sql<{ value: string; kind: string; is_bot: boolean; amount: bigint }>`
    select value, kind, is_bot, sum(amount)::int8 as amount from (
      select value, kind, is_bot, amount from report_day
      where dimension = ${dimension} and day >= ${firstDay}::int4 and day < ${lastDay}::int4
        and day::int8 * ${DAY} < ${totalsUntil}::int8
      ${parts(raw)}
    ) as counted group by 1, 2, 3`.execute(tx)
  return rows.map(({ value, kind, is_bot: isBot, amount }) => ({ value, kind, isBot, amount }))
}

/** The cached balances of all users, or of all bots, added up by account. */
export interface BalanceSums {
  readonly isBot: boolean
  readonly cash: bigint
  readonly staked: bigint
  readonly withdrawing: bigint
  readonly credits: bigint
}

export async function readBalances(tx: Tx): Promise<BalanceSums[]> {
  const { rows } = await sql<{ is_bot: boolean } & Omit<BalanceSums, 'isBot'>>`
    select ${IS_BOT} as is_bot, sum(t.cash)::int8 as cash, sum(t.staked)::int8 as staked,
      sum(t.withdrawing)::int8 as withdrawing, sum(t.credits)::int8 as credits
    from balance t where ${OF_MONEY} group by 1`.execute(tx)
  return rows.map(({ is_bot: isBot, ...sums }) => ({ isBot, ...sums }))
}

function list(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`
}

function parts(all: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return all.length === 0 ? sql`` : sql.join(all, sql` `)
}
