import type { CountedOrders, FiguresOut } from '#contract/figures.ts'
import { figuresBy, orderFigures, type OrderFigures } from '#core/figures/own-figures.ts'
import { type Money, money, moneyNumber } from '#core/money/money.ts'
import { civilDayText, weekdayOf } from '#core/markets/calendar/civil-day.ts'
import { assert, ok, refuse, type Result } from '#core/result.ts'
import { type Instant, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { zoneDay, zoneDayStart } from '#core/time/zone.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createKeyedMutex } from '#server/platform/concurrency/keyed-mutex.ts'
import { errorCode } from '#server/platform/runtime/startup-error.ts'
import type { Symbols } from '#server/proof/statement/statement-rows.ts'
import {
  type FiguresPeriod,
  firstSettledAt,
  newestResult,
  readFigures,
  readPayments,
  type StoredFigures,
} from '#server/proof/figures/own-figures.queries.ts'

/**
 * The days that the figures cover. Without `from`, they begin with the user's first order. Without `to`, they reach to
 * now.
 */
export interface FiguresQuery {
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly zone: string
}

type FiguresResult = Result<FiguresOut, 'figures_period' | 'figures_large'>

interface CachedFigures {
  readonly query: string
  readonly results: number
  readonly until: Instant
  readonly figures: FiguresOut
}

const CACHE_MS = 10 * MINUTE_MS
const MAX_CACHED = 200
/** The error code of PostgreSQL when it ended a statement after its time limit. */
const STATEMENT_TOO_LONG = '57014'

/**
 * Creates the function that computes a user's figures, with one computation per user at a time. It returns cached
 * figures for ten minutes, unless the user has a new result or asks for another period.
 */
export function createOwnFigures(
  ctx: Ctx,
  symbols: Symbols,
): (userId: string, query: FiguresQuery) => Promise<FiguresResult> {
  const cache = new Map<string, CachedFigures>()
  const inTurn = createKeyedMutex()
  return (userId, query) =>
    inTurn(userId, async () => {
      const results = await newestResult(ctx.db, userId)
      const key = JSON.stringify(query)
      const last = cache.get(userId)
      if (last?.query === key && last.results === results && ctx.now() < last.until) return ok(last.figures)
      const counted = await count(userId, query, results)
      if (counted.ok) {
        cache.delete(userId)
        const [oldest] = cache.keys()
        if (cache.size >= MAX_CACHED && oldest !== undefined) cache.delete(oldest)
        cache.set(userId, { query: key, results, until: later(ctx.now(), CACHE_MS), figures: counted.value })
      }
      return counted
    })

  async function count(userId: string, query: FiguresQuery, results: number): Promise<FiguresResult> {
    const period = await periodOf(userId, query)
    if (!period.ok) return period
    try {
      const [stored, payments] = await ctx.db
        .transaction()
        .setIsolationLevel('repeatable read')
        .execute(async (tx) => [await readFigures(tx, period.value), await readPayments(tx, period.value)] as const)
      return ok(toReply(period.value, stored, { payments, symbols, results, now: ctx.now() }))
    } catch (error) {
      if (errorCode(error) === STATEMENT_TOO_LONG) return refuse('figures_large')
      throw error
    }
  }

  async function periodOf(
    userId: string,
    { from, to, zone }: FiguresQuery,
  ): Promise<Result<FiguresPeriod, 'figures_period'>> {
    const now = ctx.now()
    const begins = from === undefined ? ((await firstSettledAt(ctx.db, userId)) ?? now) : zoneDayStart(zone, from)
    const firstDay = zoneDay(zone, begins)
    const ends = zoneDayStart(zone, to ?? zoneDay(zone, now) + 1)
    if (begins > now || ends <= begins) return refuse('figures_period')
    return ok({ userId, from: zoneDayStart(zone, firstDay), to: ends, zone })
  }
}

interface ReplyParts {
  readonly payments: { readonly deposits: bigint; readonly withdrawals: bigint }
  readonly symbols: Symbols
  readonly results: number
  readonly now: Instant
}

function toReply(
  { from, to, zone }: FiguresPeriod,
  { groups, stakes, extremes, line, maxSessionMs }: StoredFigures,
  { payments, symbols, results, now }: ReplyParts,
): FiguresOut {
  const all = orderFigures(groups)
  const symbolOf = (id: number): string => {
    const symbol = symbols.byId(id)
    assert(symbol, 'an order names a symbol we know')
    return symbol.code
  }
  return {
    from: toIso(from),
    to: toIso(to),
    zone,
    ...toCounted(all),
    wins: all.wins,
    losses: all.losses,
    draws: all.draws,
    voids: all.voids,
    hit_low: percent(all.hit?.low),
    hit_high: percent(all.hit?.high),
    hit_by_stake: percent(all.hit?.byStake),
    average_stake: amount(stakes?.average),
    median_stake: amount(stakes?.median),
    best: amount(extremes?.best),
    worst: amount(extremes?.worst),
    longest_session_ms: maxSessionMs,
    deposits: moneyNumber(money(payments.deposits)),
    withdrawals: moneyNumber(money(payments.withdrawals)),
    by_day: figuresBy(groups, ({ day }) => day).map(({ key, figures }) => ({
      day: civilDayText(key),
      ...toCounted(figures),
    })),
    by_market: figuresBy(groups, ({ symbolId }) => symbolId).map(({ key, figures }) => ({
      symbol: symbolOf(key),
      ...toCounted(figures),
    })),
    by_expiry: figuresBy(groups, ({ seconds }) => seconds).map(({ key, figures }) => ({
      seconds: key,
      ...toCounted(figures),
    })),
    by_weekday: figuresBy(groups, ({ day }) => weekdayOf(day)).map(({ key, figures }) => ({
      weekday: key,
      ...toCounted(figures),
    })),
    line: line.map(([ms, net]) => [ms, moneyNumber(money(net))] as [number, number]),
    as_of: toIso(now),
    until_number: results,
  }
}

function toCounted({ orders, staked, net, hit }: OrderFigures): CountedOrders {
  return {
    orders,
    staked: moneyNumber(money(staked)),
    net: moneyNumber(money(net)),
    hit_rate: percent(hit?.rate),
    break_even: percent(hit?.breakEven),
  }
}

/** Converts a rate to percent with two decimals. */
function percent(rate: number | undefined): number | null {
  return rate === undefined ? null : Math.round(rate * 10_000) / 100
}

function amount(value: bigint | undefined): number | null {
  return value === undefined ? null : moneyNumber(money(value) satisfies Money)
}
