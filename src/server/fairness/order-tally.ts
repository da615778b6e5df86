import type { FairnessGroup, FairnessOrders, FairnessTimes } from '#contract/fairness.ts'
import { LOSE, WIN } from '#core/orders/order.ts'
import { countOf, type Distribution, histogramOf, percentileOf, seen } from '#server/fairness/distribution.ts'

/** Figures of fewer people are not shown on their own: they might tell what one of them did. */
export const LEAST_USERS = 5
/** Bounds of the histograms. */
const LATENESS_BOUNDS_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const
const ACCEPTANCE_BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 1_000] as const

/** One closed order, as far as it counts here. */
export interface ClosedOrder {
  readonly userId: string
  readonly symbolId: number
  readonly seconds: number
  readonly profitBasisPoints: number
  readonly result: number
  readonly isVoid: boolean
  readonly resultAmount: bigint
  readonly lateMs: number
  /** Null when it is not stored when its request came. */
  readonly acceptedInMs: number | null
}

interface Line {
  readonly symbolId: number
  readonly seconds: number
  readonly profitBasisPoints: number
  wins: number
  losses: number
  draws: number
  voids: number
  /** As many of its users as it takes to know whether they are enough. */
  readonly users: Set<string>
}

/** What the closed orders of one time and of one kind of users come to. */
export interface OrderTally {
  readonly lines: Map<string, Line>
  readonly results: Map<string, bigint>
  readonly lateness: Distribution
  readonly acceptance: Distribution
  /** As many users of the orders in `acceptance` as it takes to know whether they are enough. */
  readonly timedUsers: Set<string>
}

export function emptyTally(): OrderTally {
  return { lines: new Map(), results: new Map(), lateness: new Map(), acceptance: new Map(), timedUsers: new Set() }
}

export function addOrder(tally: OrderTally, order: ClosedOrder): void {
  const { lines, results, lateness, acceptance, timedUsers } = tally
  const { userId, symbolId, seconds, profitBasisPoints } = order
  const key = `${symbolId}/${seconds}/${profitBasisPoints}`
  let line = lines.get(key)
  if (line === undefined) {
    line = { symbolId, seconds, profitBasisPoints, wins: 0, losses: 0, draws: 0, voids: 0, users: new Set() }
    lines.set(key, line)
  }
  if (line.users.size < LEAST_USERS) line.users.add(userId)
  line[howItEnded(order)] += 1
  results.set(userId, (results.get(userId) ?? 0n) + order.resultAmount)
  seen(lateness, order.lateMs)
  if (order.acceptedInMs === null) return
  seen(acceptance, order.acceptedInMs)
  if (timedUsers.size < LEAST_USERS) timedUsers.add(userId)
}

function howItEnded({ result, isVoid }: ClosedOrder): 'wins' | 'losses' | 'draws' | 'voids' {
  if (isVoid) return 'voids'
  return result === WIN ? 'wins' : result === LOSE ? 'losses' : 'draws'
}

/** Bots are no people: nothing is held back of them. */
export function groupOf(
  who: FairnessGroup['who'],
  { lines, results, lateness, acceptance, timedUsers }: OrderTally,
  codes: ReadonlyMap<number, string>,
): FairnessGroup {
  const least = who === 'people' ? LEAST_USERS : 1
  if (results.size < least) {
    const nothing = { users: null, losing_users: null, losing_share: null }
    return { who, ...nothing, orders: [], acceptance: null, not_timed: null, lateness: null }
  }
  const losing = [...results.values()].filter((sum) => sum < 0n).length
  return {
    who,
    users: results.size,
    losing_users: losing,
    losing_share: percent(losing / results.size),
    orders: ordersOut([...lines.values()], least, codes),
    acceptance: timedUsers.size < least ? null : timesOut(acceptance, ACCEPTANCE_BOUNDS_MS),
    not_timed: countOf(lateness) - countOf(acceptance),
    lateness: timesOut(lateness, LATENESS_BOUNDS_MS),
  }
}

/** Lines of too few users become one, and that is left out if it has too few itself. */
function ordersOut(lines: readonly Line[], least: number, codes: ReadonlyMap<number, string>): FairnessOrders[] {
  const own = lines.filter(({ users }) => users.size >= least)
  const others = lines.filter(({ users }) => users.size < least)
  const shown = own
    .map((line) => ({ symbol: codes.get(line.symbolId) ?? String(line.symbolId), ...lineOut(line) }))
    .toSorted((a, b) => a.symbol.localeCompare(b.symbol, 'en') || a.seconds - b.seconds || a.payout - b.payout)
  if (new Set(others.flatMap(({ users }) => [...users])).size < Math.max(1, least)) return shown
  const sum = (name: 'wins' | 'losses' | 'draws' | 'voids') => others.reduce((total, line) => total + line[name], 0)
  const nothing = { symbol: null, seconds: null, payout: null, break_even: null }
  return [...shown, { ...nothing, wins: sum('wins'), losses: sum('losses'), draws: sum('draws'), voids: sum('voids') }]
}

function lineOut({ seconds, profitBasisPoints, wins, losses, draws, voids }: Line) {
  return { seconds, ...payoutOut(profitBasisPoints), wins, losses, draws, voids }
}

/** A payout in percent and the share of orders that has to be won to lose nothing. */
export function payoutOut(profitBasisPoints: number): { payout: number; break_even: number } {
  return { payout: profitBasisPoints / 100, break_even: percent(10_000 / (10_000 + profitBasisPoints)) }
}

function timesOut(times: Distribution, boundsMs: readonly number[]): FairnessTimes {
  const counts = histogramOf(times, boundsMs)
  return {
    count: countOf(times),
    median_ms: percentileOf(times, 0.5),
    p95_ms: percentileOf(times, 0.95),
    p99_ms: percentileOf(times, 0.99),
    histogram: counts.map((count, at) => ({ up_to_ms: boundsMs[at] ?? null, count })),
  }
}

function percent(part: number): number {
  return Math.round(part * 10_000) / 100
}
