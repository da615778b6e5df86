import type { LoggedTick } from './price-log.ts'

/** The facts of an order that its sale is computed from. */
export interface SoldFacts {
  readonly isBuy: boolean
  readonly stake: bigint
  readonly payout: bigint
  readonly entry: bigint
  readonly expiresAt: number
  readonly maxAgeMs: number
}

export interface Demand {
  readonly at: number
  readonly least: bigint
  readonly headSeq: number
  /** The terms of sale: `scale` in percent, `fee` in basis points of the stake. */
  readonly scale: bigint
  readonly fee: bigint
}

export interface ExpectedSale {
  readonly tick: LoggedTick
  readonly movement: bigint
  readonly leftMs: number
  readonly win: bigint
  readonly same: bigint
  readonly gross: bigint
  readonly fee: bigint
  readonly paid: bigint
}

export type ExpectedEnd =
  | { readonly kind: 'sold'; readonly sale: ExpectedSale }
  | { readonly kind: 'lapsed'; readonly reason: string }
  /** The tick log does not have the tick that decides the request. */
  | { readonly kind: 'nothing' }

const E = 1_000_000_000n
const MINUTE = 60_000
const MARK = 5_000
const MARKS = 241

/** Returns how a request should end, computed from the ticks of the order's source in the order of the tick log. */
export function expectedEnd(facts: SoldFacts, demand: Demand, ticks: readonly LoggedTick[]): ExpectedEnd {
  const at = ticks.findIndex(({ time }) => time > demand.at + 1_000)
  const tick = ticks[at]
  if (tick === undefined) return { kind: 'nothing' }
  const isLate = tick.time > demand.at + maxWaitMs(facts) || tick.receivedAt - tick.time > 5_000
  if (isLate || tick.seq <= demand.headSeq) return lapsed('sale_no_price')
  if (tick.time >= facts.expiresAt) return lapsed('expired')
  const past = ticks.slice(0, at + 1)
  const movement = movementBefore(past, tick)
  if (typeof movement === 'string') return lapsed(movement)
  const sale = valueAt(facts, demand, { tick, movement })
  const percent = sale.win * 100n
  if (percent < 5n * E || percent > 95n * E || sale.paid < 1n) return lapsed('sale_no_value')
  return sale.paid < demand.least ? lapsed('sale_below_least') : { kind: 'sold', sale }
}

/** How long after a request its tick may come. */
export function maxWaitMs({ maxAgeMs }: Pick<SoldFacts, 'maxAgeMs'>): number {
  return 1_000 + Math.min(maxAgeMs, 15_000)
}

function lapsed(reason: string): ExpectedEnd {
  return { kind: 'lapsed', reason }
}

/** The mean squared move over 15 s in the 20 minutes before a tick, or the reason why it is not known. */
function movementBefore(ticks: readonly LoggedTick[], { time, units }: LoggedTick): bigint | string {
  const newest = (Math.ceil(time / MARK) - 1) * MARK
  const marks: LoggedTick[] = []
  for (let mark = newest - (MARKS - 1) * MARK; mark <= newest; mark += MARK) {
    const tick = lastAt(ticks, mark)
    if (tick === null || mark - tick.time > MINUTE) return 'sale_unsure'
    marks.push(tick)
  }
  const counted = ticks.filter((tick) => tick.time > time - 10 * MINUTE)
  if (counted.length < 60) return 'sale_unsure'
  const squares = marks.slice(3).map((mark, at) => moveOf(marks[at], mark) ** 2n)
  const mean = meanOf(squares)
  const recent = meanOf(squares.slice(-58))
  if (mean === 0n || 4n * recent < mean || recent > 4n * mean) return 'sale_unsure'
  const isJump = (from: LoggedTick | null | undefined, to: { readonly units: number }) =>
    moveOf(from ?? undefined, to) ** 2n > 25n * mean
  if (isJump(lastAt(ticks, time - MINUTE), { units })) return 'sale_after_jump'
  for (let mark = newest; mark > time - MINUTE; mark -= MARK) {
    const at = marks.length - 1 - (newest - mark) / MARK
    const to = marks[at]
    if (to !== undefined && isJump(marks[at - 12], to)) return 'sale_after_jump'
  }
  return mean
}

function lastAt(ticks: readonly LoggedTick[], time: number): LoggedTick | null {
  let [low, high] = [0, ticks.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ticks[middle]?.time ?? 0) <= time) low = middle + 1
    else high = middle
  }
  return ticks[low - 1] ?? null
}

function moveOf(from: { readonly units: number } | undefined, to: { readonly units: number }): bigint {
  if (from === undefined) throw new Error('a mark of twenty minutes has no price')
  return (BigInt(to.units - from.units) * E) / BigInt(from.units)
}

function meanOf(squares: readonly bigint[]): bigint {
  return squares.reduce((sum, square) => sum + square, 0n) / BigInt(squares.length)
}

interface Moment {
  readonly tick: LoggedTick
  readonly movement: bigint
}

/** Returns the value of an order by sale model 1, computed in whole numbers. */
function valueAt(facts: SoldFacts, { scale, fee: feeShare }: Demand, { tick, movement }: Moment): ExpectedSale {
  const { isBuy, stake, payout, entry, expiresAt } = facts
  const leftMs = expiresAt - tick.time
  const [s, k] = [BigInt(tick.units), entry]
  const sd = (rootOf((movement * BigInt(leftMs)) / 15_000n) * scale) / 100n
  const at = (twice: bigint) => studentBelow(((twice - 2n * s) * E * E) / (2n * s * sd))
  const below = at(2n * k - 1n)
  const upTo = at(2n * k + 1n)
  const notAbove = upTo < below ? below : upTo
  const same = notAbove - below
  const win = isBuy ? E - notAbove : below
  const gross = halfEven(stake * ((10_000n + payout) * win + 10_000n * same), 10_000n * E)
  const fee = halfEven(stake * feeShare, 10_000n)
  return { tick, movement, leftMs, win, same, gross, fee, paid: gross - fee }
}

/** Returns the cumulative probability of Student's distribution with 4 degrees of freedom. */
function studentBelow(x: bigint): bigint {
  if (x < 0n) return E - studentBelow(-x)
  const q = E + (x * x) / (4n * E)
  const w = rootOf(q * E)
  const g = E - (((x * x) / E) * E) / (12n * q)
  const share = E / 2n + (((((375n * x) / 1_000n) * E) / w) * g) / E
  return share < E ? share : E
}

/** The whole square root, by halving. */
function rootOf(value: bigint): bigint {
  let [low, high] = [0n, 1n << BigInt(Math.floor(value.toString(2).length / 2) + 1)]
  while (high - low > 1n) {
    const middle = (low + high) >> 1n
    if (middle * middle <= value) low = middle
    else high = middle
  }
  return low
}

function halfEven(value: bigint, by: bigint): bigint {
  const [whole, rest] = [value / by, (value % by) * 2n]
  return rest > by || (rest === by && whole % 2n === 1n) ? whole + 1n : whole
}
