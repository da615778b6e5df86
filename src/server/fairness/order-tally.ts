import type { FairnessGroup, FairnessLateness, FairnessOrders } from '#contract/fairness.ts'
import { LOSE, WIN } from '#core/orders/order.ts'
import { countOf, type Distribution, histogramOf, percentileOf, seen } from '#server/fairness/distribution.ts'

/** Figures of fewer people are not shown on their own: they might tell what one of them did. */
export const LEAST_USERS = 5
/** Bounds of the histogram of lateness. */
export const LATENESS_BOUNDS_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const

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
}

export function emptyTally(): OrderTally {
  return { lines: new Map(), results: new Map(), lateness: new Map() }
}

export function addOrder({ lines, results, lateness }: OrderTally, order: ClosedOrder): void {
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
}

function howItEnded({ result, isVoid }: ClosedOrder): 'wins' | 'losses' | 'draws' | 'voids' {
  if (isVoid) return 'voids'
  return result === WIN ? 'wins' : result === LOSE ? 'losses' : 'draws'
}

/** Bots are no people: nothing is held back of them. */
export function groupOf(
  who: FairnessGroup['who'],
  { lines, results, lateness }: OrderTally,
  codes: ReadonlyMap<number, string>,
): FairnessGroup {
  const least = who === 'people' ? LEAST_USERS : 1
  if (results.size < least) {
    return { who, users: null, losing_users: null, losing_share: null, orders: [], lateness: null }
  }
  const losing = [...results.values()].filter((sum) => sum < 0n).length
  return {
    who,
    users: results.size,
    losing_users: losing,
    losing_share: percent(losing / results.size),
    orders: ordersOut([...lines.values()], least, codes),
    lateness: latenessOut(lateness),
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

function latenessOut(lateness: Distribution): FairnessLateness {
  const counts = histogramOf(lateness, LATENESS_BOUNDS_MS)
  return {
    count: countOf(lateness),
    median_ms: percentileOf(lateness, 0.5),
    p95_ms: percentileOf(lateness, 0.95),
    p99_ms: percentileOf(lateness, 0.99),
    histogram: counts.map((count, at) => ({ up_to_ms: LATENESS_BOUNDS_MS[at] ?? null, count })),
  }
}

function percent(part: number): number {
  return Math.round(part * 10_000) / 100
}
