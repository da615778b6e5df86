import type { ReportBreakdown, ReportDimension, ReportSummary } from '#contract/back-office/reports.ts'
import { USER_ACCOUNTS } from '#core/ledger/account.ts'
import { civilDayText } from '#core/markets/calendar/civil-day.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import {
  type KindTotal,
  lineTotals,
  type Positions,
  positionsOf,
  REPORT_ACCOUNTS,
  REPORT_LINES,
  type ReportLine,
} from '#core/reports/report-lines.ts'
import { closableAt, type PeriodDays } from '#core/reports/report-period.ts'
import { DAY_MS, instant, type Instant, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { readNames } from '#server/back-office/reports/report-names.queries.ts'
import { countUsers } from '#server/back-office/reports/report-users.queries.ts'
import {
  type BalanceSums,
  type CountMark,
  readBalances,
  readMark,
  readParts,
  readValues,
} from '#server/back-office/reports/read-totals.queries.ts'
import { prepareLongRead } from '#server/platform/database/long-read.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * 10 minutes: if counting is further behind, a report has no figures, because reading so many uncounted transfers takes
 * too long.
 */
const MAX_LIVE_SPAN_MS = 10 * MINUTE_MS
/** 3 days: if the totals differ from the balances, at most the transfers of this time are read again for a report. */
const MAX_RECOUNT_SPAN_MS = 3 * DAY_MS

export type Summary = Omit<ReportSummary, 'closed'>
export type Breakdown = Omit<ReportBreakdown, 'closed'>
interface Totals {
  readonly isBot: boolean
  readonly kind: string
  readonly amount: bigint
}

/**
 * The totals that a report is made from, and by how much they differ from the balances, all from one database snapshot.
 */
interface Basis {
  /** The stored totals are used before this time, the transfers themselves from this time on. */
  readonly totalsUntil: Instant
  /**
   * Null when the totals are complete. Otherwise the time until which transfers are counted, and the report has no
   * figures.
   */
  readonly countedUntil: Instant | null
  readonly difference: bigint | null
  readonly parts: readonly (Totals & { readonly part: number })[]
}

/** Runs several reading statements on one database snapshot, so that their results agree. */
export async function inSnapshot<T>(db: Db, read: (tx: Tx) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(read)
}

/** Makes the figures of a period. The caller's transaction must use one snapshot. */
export async function makeSummary(tx: Tx, period: PeriodDays, now: Instant): Promise<Summary> {
  const { start, end } = period
  const basis = await readBasis(tx, [start, end], now)
  const { parts, totalsUntil, difference } = basis
  return {
    ...headOf(period, basis),
    ...figuresOf(parts),
    users: await countUsers(tx, { start, end, totalsUntil }),
    difference: difference === null ? null : number(difference),
    closable_at: toIso(closableAt(period)),
  }
}

/**
 * Makes the lines and positions of a period from all transfers, without the stored totals. This reads the whole ledger,
 * so it is slow.
 */
export async function makeFiguresFromTransfers(
  tx: Tx,
  { start, end }: Pick<PeriodDays, 'start' | 'end'>,
): Promise<Pick<Summary, 'lines' | 'positions'>> {
  await prepareLongRead(tx)
  return figuresOf(await readParts(tx, [start, end], instant(0)))
}

/** Computes lines and positions. Part 0 has the transfers before the period, part 1 the transfers in the period. */
function figuresOf(parts: Basis['parts']): Pick<Summary, 'lines' | 'positions'> {
  const of = (first: number, last: number) => parts.filter(({ part }) => part >= first && part <= last)
  const [begin, end] = [split(of(0, 0), positionsOf), split(of(0, 1), positionsOf)]
  return {
    lines: split(of(1, 1), linesReply),
    positions: REPORT_ACCOUNTS.map((account) => ({
      account,
      begin: { people: number(begin.people[account]), bots: number(begin.bots[account]) },
      end: { people: number(end.people[account]), bots: number(end.bots[account]) },
    })),
  }
}

/** Makes the figures of a period for each value of a dimension. The caller's transaction must use one snapshot. */
export async function makeBreakdown(
  tx: Tx,
  {
    dimension,
    period,
    now,
  }: { readonly dimension: ReportDimension; readonly period: PeriodDays; readonly now: Instant },
): Promise<Breakdown> {
  const byDay = dimension === 'day'
  const basis = await readBasis(tx, byDay ? [...period.starts, period.end] : [period.start, period.end], now)
  const head = headOf(period, basis)
  if (byDay) {
    const days = period.starts.map((start, nth) => ({
      value: civilDayText(period.from + nth),
      hasLength: start < (period.starts[nth + 1] ?? period.end),
      totals: basis.parts.filter(({ part }) => part === nth + 1),
    }))
    const rows = days.filter(({ hasLength }) => hasLength)
    return {
      ...head,
      rows: rows.map(({ value, totals }) => ({ value, name: value, lines: split(totals, linesReply) })),
    }
  }
  const { start, end } = period
  if (basis.countedUntil !== null) return { ...head, rows: [] }
  const names = await readNames(tx)
  // Totals are kept by symbol only. The figures of a market are the sum of its symbols.
  const found = await readValues(tx, dimension === 'market' ? 'symbol' : dimension, {
    start,
    end,
    totalsUntil: basis.totalsUntil,
  })
  const totals = dimension === 'market' ? found.map((one) => ({ ...one, value: names.marketOf(one.value) })) : found
  const values = [...new Set(totals.map(({ value }) => value))]
  const rows = values.map((value) => {
    const own = totals.filter((one) => one.value === value)
    return { value, name: names.of(dimension, value), lines: split(own, linesReply) }
  })
  return { ...head, rows: rows.toSorted((a, b) => compareRows(dimension, a, b)) }
}

/**
 * Returns the amount by which all totals differ from the balances, or null while older transfers are still being
 * counted.
 */
export async function readDifference(tx: Tx, now: Instant): Promise<bigint | null> {
  return (await readBasis(tx, [now], now)).difference
}

/**
 * Reads the totals. If they differ from the balances, a transfer may have committed after it was counted. Then days
 * that are not closed yet are read from the transfers instead.
 */
async function readBasis(tx: Tx, bounds: readonly Instant[], now: Instant): Promise<Basis> {
  const mark = await readMark(tx)
  const { countedUntil } = mark
  if (countedUntil < now - MAX_LIVE_SPAN_MS)
    return { totalsUntil: countedUntil, countedUntil, difference: null, parts: [] }
  const balances = await readBalances(tx)
  const read = async (totalsUntil: Instant): Promise<Basis> => {
    const parts = await readParts(tx, bounds, totalsUntil)
    return { totalsUntil, countedUntil: null, difference: differenceOf(parts, balances), parts }
  }
  const basis = await read(countedUntil)
  return basis.difference !== 0n && canRecount(mark) ? read(mark.closedUntil) : basis
}

function canRecount({ countedUntil, closedUntil }: CountMark): boolean {
  return closedUntil < countedUntil && countedUntil - closedUntil <= MAX_RECOUNT_SPAN_MS
}

function differenceOf(totals: readonly Totals[], balances: readonly BalanceSums[]): bigint {
  const positions = split(totals, positionsOf)
  return [false, true].reduce((sum, isBot) => {
    const counted: Positions = isBot ? positions.bots : positions.people
    const cached = balances.find((one) => one.isBot === isBot)
    return USER_ACCOUNTS.reduce((all, account) => {
      const distance = counted[account] - (cached?.[account] ?? 0n)
      return all + (distance < 0n ? -distance : distance)
    }, sum)
  }, 0n)
}

function split<T>(totals: readonly Totals[], figure: (totals: readonly KindTotal[]) => T): { people: T; bots: T } {
  return {
    people: figure(totals.filter(({ isBot }) => !isBot)),
    bots: figure(totals.filter(({ isBot }) => isBot)),
  }
}

function linesReply(totals: readonly KindTotal[]): Record<ReportLine, number> {
  const lines = lineTotals(totals)
  return Object.fromEntries(REPORT_LINES.map((line) => [line, number(lines[line])])) as Record<ReportLine, number>
}

function headOf({ from, to, zone, start, end }: PeriodDays, { countedUntil }: Basis) {
  return {
    from: civilDayText(from),
    to: civilDayText(to),
    zone,
    starts_at: toIso(start),
    ends_at: toIso(end),
    counted_until: countedUntil === null ? null : toIso(countedUntil),
  }
}

function number(amount: bigint): number {
  return moneyNumber(money(amount))
}

type Row = Breakdown['rows'][number]

/**
 * Sorts durations (`length`) by seconds and all other values by name. The row of transfers without a value comes last.
 */
function compareRows(dimension: ReportDimension, a: Row, b: Row): number {
  if (a.value === '' || b.value === '') return a.value === '' ? 1 : -1
  return dimension === 'length' ? Number(a.value) - Number(b.value) : a.name.localeCompare(b.name)
}
