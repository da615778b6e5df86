import type { FairnessGroup, FairnessOrders, FairnessTimes } from '#contract/fairness.ts'
import { countOf, type Distribution, histogramOf, percentileOf } from '#server/proof/fairness/distribution.ts'

/** Figures of fewer than five users are not shown on their own, because they might reveal what one user did. */
export const MIN_GROUP_USERS = 5
/** Upper bounds of the histogram buckets. */
const LATENESS_BOUNDS_MS = [100, 250, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000] as const
const ACCEPTANCE_BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 1_000] as const

/** Totals of the orders of one symbol, duration and payout. */
export interface Line {
  readonly symbolId: number
  readonly seconds: number
  readonly profitBasisPoints: number
  readonly wins: number
  readonly losses: number
  readonly draws: number
  readonly voids: number
  /** Ids of at most five users of these orders. More are not needed to know whether there are enough users. */
  readonly someUsers: readonly string[]
}

/** Totals of the closed orders of one period, either of users or of bots. */
export interface GroupTotals {
  readonly lines: readonly Line[]
  readonly users: number
  /** Users whose orders sum to less than zero. */
  readonly losingUsers: number
  /** Users whose orders sum to more than zero. */
  readonly winningUsers: number
  /** The number of users with orders in `acceptance`. */
  readonly timedUsers: number
  readonly lateness: Distribution
  readonly acceptance: Distribution
}

/** Computes the figures of a group. Bots need no privacy, so nothing about them is withheld. */
export function groupOf(
  who: FairnessGroup['who'],
  { lines, users, losingUsers, winningUsers, timedUsers, lateness, acceptance }: GroupTotals,
  codes: ReadonlyMap<number, string>,
): FairnessGroup {
  const minUsers = who === 'people' ? MIN_GROUP_USERS : 1
  if (users < minUsers) {
    const nothing = { users: null, losing_users: null, losing_share: null, ahead_users: null }
    return { who, ...nothing, orders: [], acceptance: null, not_timed: null, lateness: null }
  }
  return {
    who,
    users,
    losing_users: losingUsers,
    losing_share: percent(losingUsers / users),
    ahead_users: winningUsers,
    orders: toOrdersReply(lines, minUsers, codes),
    acceptance: timedUsers < minUsers ? null : toTimesReply(acceptance, ACCEPTANCE_BOUNDS_MS),
    not_timed: countOf(lateness) - countOf(acceptance),
    // If the users sold all their orders, there are no results and so no times.
    lateness: countOf(lateness) === 0 ? null : toTimesReply(lateness, LATENESS_BOUNDS_MS),
  }
}

/** Merges the lines with too few users into one. The merged line is omitted when it has too few users as well. */
function toOrdersReply(lines: readonly Line[], minUsers: number, codes: ReadonlyMap<number, string>): FairnessOrders[] {
  const own = lines.filter(({ someUsers }) => someUsers.length >= minUsers)
  const others = lines.filter(({ someUsers }) => someUsers.length < minUsers)
  const shown = own
    .map((line) => ({ symbol: codes.get(line.symbolId) ?? String(line.symbolId), ...toLineReply(line) }))
    .toSorted((a, b) => a.symbol.localeCompare(b.symbol, 'en') || a.seconds - b.seconds || a.payout - b.payout)
  if (new Set(others.flatMap(({ someUsers }) => someUsers)).size < Math.max(1, minUsers)) return shown
  const sum = (name: 'wins' | 'losses' | 'draws' | 'voids') => others.reduce((total, line) => total + line[name], 0)
  const nothing = { symbol: null, seconds: null, payout: null, break_even: null }
  return [...shown, { ...nothing, wins: sum('wins'), losses: sum('losses'), draws: sum('draws'), voids: sum('voids') }]
}

function toLineReply({ seconds, profitBasisPoints, wins, losses, draws, voids }: Line) {
  return { seconds, ...toPayoutReply(profitBasisPoints), wins, losses, draws, voids }
}

/** Returns the payout in percent and the share of orders that must win to break even. */
export function toPayoutReply(profitBasisPoints: number): { payout: number; break_even: number } {
  return { payout: profitBasisPoints / 100, break_even: percent(10_000 / (10_000 + profitBasisPoints)) }
}

function toTimesReply(times: Distribution, boundsMs: readonly number[]): FairnessTimes {
  const counts = histogramOf(times, boundsMs)
  return {
    count: countOf(times),
    median_ms: percentileOf(times, 0.5),
    p95_ms: percentileOf(times, 0.95),
    p99_ms: percentileOf(times, 0.99),
    histogram: counts.map((count, at) => ({ up_to_ms: boundsMs[at] ?? null, count })),
  }
}

/** A share as a percentage with two decimals. */
export function percent(part: number): number {
  return Math.round(part * 10_000) / 100
}
