import { barOpenTime, type Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { mulDivHalfEven } from '#core/money/decimal.ts'
import { candleOnBasis, hasSplitBetween, priceOnBasis, type Split } from '#core/markets/splits/splits.ts'
import { addVolumes, type Price, volume } from '#core/money/price.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { type DayStart, dayStartedAt } from '#core/time/day-start.ts'
import { DAY_MS, instant, type Instant } from '#core/time/instant.ts'
import type { LoggedBar, Range } from '#server/market-data/ticks/logged-bar.ts'
import { sparkOf } from '#server/market-data/ticks/spark.ts'
import type { DayStats, Quote } from '#server/market-data/ticks.ts'

const BAR_MS = intervalMs('5m')
const NOTHING: Range = { high: 0, low: Number.POSITIVE_INFINITY, volume: volume(0) }

/** The candidates for the newest price of a symbol. */
export interface Newest {
  readonly tick: Tick | null
  /** The open five-minute bar. */
  readonly openBar: Candle | null
  /**
   * Whether prices after the tick may have been missed. Then a bar that a provider closed for that time is more recent.
   */
  readonly canBeSuperseded: boolean
}

/** The bars of a window that begins in the bar opening at `from`, on one split basis. */
interface Frame {
  readonly from: number
  readonly basis: Split | null
  /** The last bar before `edge`. */
  readonly before: Candle | null
  /** The bar in which the window begins. */
  readonly edge: Candle | null
  readonly rest: readonly Candle[]
  readonly restRange: Range
}

/**
 * Computes a symbol's figures of the last 24 hours from five-minute bars. No other code computes them. The bar in which
 * the 24 hours begin is cut by its ticks. So all figures are exact to the millisecond where the log has every tick of
 * that bar. Partial bars and bars from a provider count as a whole. The price 24 hours ago is then the last known
 * earlier price, at most five minutes older. A closed weekend shows no change instead of no figures. After a split all
 * figures are on the basis of the newest price, while the bars stay as traded.
 */
export class DayWindow {
  private bars: Candle[] = []
  private logged: LoggedBar[] = []
  private frame: Frame | null = null
  private readonly splits: () => readonly Split[]

  constructor(splits: () => readonly Split[] = () => []) {
    this.splits = splits
  }

  /** Loads bars of the past. Keeps newer bars that closed in the meantime. */
  load(bars: readonly Candle[]): void {
    const until = bars.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY
    this.bars = [...bars, ...this.bars.filter(({ openTime }) => openTime > until)]
    this.frame = null
  }

  /** Adds a closed bar, usually the newest. After a restart, the bar may be from before the downtime. */
  add(closed: Candle): void {
    const place = this.bars.findLastIndex((bar) => bar.openTime <= closed.openTime)
    const known = this.bars[place]?.openTime === closed.openTime
    this.bars.splice(known ? place : place + 1, known ? 1 : 0, closed)
    this.frame = null
  }

  /** Takes the logged ticks of a bar in which the window begins or will begin. */
  cutWith(bar: LoggedBar, now: Instant): void {
    const from = edgeAt(now)
    this.logged = [...this.logged.filter(({ openTime }) => openTime >= from && openTime !== bar.openTime), bar]
  }

  /** Returns the opening of the oldest known bar; null when none is known. */
  knownSince(): Instant | null {
    return this.bars[0]?.openTime ?? null
  }

  /** Returns the newest price and the price 24 hours earlier; null while no price is known. */
  quote(now: Instant, newest: Newest): Quote | null {
    const openBar = this.ifNewest(newest.openBar)
    const found = newestPrice(newest, openBar ?? this.bars.at(-1) ?? null)
    if (found === null) return null
    const { last, time, tick } = found
    return { last, time, tick, open: this.openAt(now, time) ?? openBar?.open ?? last }
  }

  /** Returns all figures of the day; null while no price is known. */
  stats(now: Instant, newest: Newest): DayStats | null {
    const quote = this.quote(now, newest)
    if (quote === null) return null
    const { open, last, time, tick } = quote
    const { edge, rest, restRange } = this.frameAt(now, time)
    const openBar = this.ifNewest(newest.openBar)
    const begun = this.edgeRange(now, time)
    const current = openBar ?? NOTHING
    const openOf = (start: DayStart) => this.lastBefore(dayStartedAt(start, now), time) ?? open
    return {
      last,
      time,
      tick,
      open,
      // The price at the window's beginning counts too, because it was valid then.
      high: asPrice(Math.max(open, last, begun.high, restRange.high, current.high)),
      low: asPrice(Math.min(open, last, begun.low, restRange.low, current.low)),
      volume: addVolumes(addVolumes(begun.volume, restRange.volume), current.volume),
      // Getters, because only lists show these two while sockets compute the rest with every price.
      get openOf() {
        return { hkt: openOf('hkt'), utc: openOf('utc') }
      },
      get spark() {
        const bars = [edge, ...rest, openBar].filter((bar) => bar !== null)
        return sparkOf(bars, now, last)
      },
    }
  }

  /** The price at the beginning of the window: the last price known by then, or the first price known since. */
  private openAt(now: Instant, basisAt: Instant): Price | null {
    const { from, before, edge, rest } = this.frameAt(now, basisAt)
    const logged = this.loggedIn(from)
    const begin = instant(now - DAY_MS)
    const onBasis = (units: Price | null) => units && priceOnBasis(units, begin, basisAt, this.splits())
    const first = (edge ?? rest[0])?.open ?? null
    if (logged === null) return before?.close ?? first
    return onBasis(logged.priceAt(begin)) ?? before?.close ?? onBasis(logged.firstAfter(begin)) ?? first
  }

  /** High, low and volume of the part of the first bar that lies in the window. */
  private edgeRange(now: Instant, basisAt: Instant): Range {
    const { from, edge } = this.frameAt(now, basisAt)
    const logged = this.loggedIn(from)
    if (logged === null) return edge ?? NOTHING
    const traded = edge === null ? null : (this.bars.find(({ openTime }) => openTime === from) ?? null)
    if (traded !== null && !logged.isWhole(traded)) return edge ?? NOTHING
    const range = logged.rangeAfter(now - DAY_MS)
    if (range.high === 0 || !hasSplitBetween(this.splits(), instant(from), basisAt)) return range
    // A split takes effect with the first bar of a session, so none lies inside a bar.
    const [high, low] = [asPrice(range.high), asPrice(range.low)]
    const ofRange = { openTime: instant(from), open: high, high, low, close: low, volume: range.volume }
    return candleOnBasis(ofRange, basisAt, this.splits())
  }

  private loggedIn(from: number): LoggedBar | null {
    for (const bar of this.logged) if (bar.openTime === from) return bar
    return null
  }

  /** The price at an instant of the window: the last close before it, or the first price known after. */
  private lastBefore(at: Instant, basisAt: Instant): Price | null {
    const before = this.bars.findLast((bar) => bar.openTime < at)
    const first = this.bars[0]
    if (before !== undefined) return candleOnBasis(before, basisAt, this.splits()).close
    return first === undefined ? null : candleOnBasis(first, basisAt, this.splits()).open
  }

  private ifNewest(bar: Candle | null): Candle | null {
    const newest = this.bars.at(-1)
    return bar !== null && (newest === undefined || bar.openTime > newest.openTime) ? bar : null
  }

  private frameAt(now: Instant, basisAt: Instant): Frame {
    const from = edgeAt(now)
    const basis = this.splits().findLast(({ effectiveAt }) => effectiveAt <= basisAt) ?? null
    if (this.frame !== null && this.frame.from === from && this.frame.basis === basis) return this.frame
    const begin = this.bars.findIndex((bar) => bar.openTime >= from)
    const first = begin === -1 ? this.bars.length : begin
    // One bar from before the window stays: its close is the price at the window's beginning.
    if (first > 1) this.bars.splice(0, first - 1)
    const shown = this.bars.map((bar) => candleOnBasis(bar, basisAt, this.splits()))
    const before = first > 0 ? (shown[0] ?? null) : null
    const bars = before === null ? shown : shown.slice(1)
    const edge = bars[0]?.openTime === from ? bars[0] : null
    const rest = edge === null ? bars : bars.slice(1)
    this.frame = { from, basis, before, edge, rest, restRange: rangeOf(rest) }
    return this.frame
  }
}

/** Returns the change over the day in thousandths of a percent, rounded half to even. Every reply uses this figure. */
export function changeThousandths({ open, last }: Pick<Quote, 'open' | 'last'>): bigint {
  return mulDivHalfEven(BigInt(last - open), 100_000n, BigInt(open))
}

/** Returns the change over the day in percent, with three decimals. */
export function changePercent(quote: Pick<Quote, 'open' | 'last'>): number {
  return Number(changeThousandths(quote)) / 1_000
}

/** The newest price: the last tick, or the close of a newer bar from a provider. */
function newestPrice({ tick, canBeSuperseded }: Newest, bar: Candle | null): Omit<Quote, 'open'> | null {
  if (bar === null) return tick && fromTick(tick)
  if (tick === null) return { last: bar.close, time: bar.openTime, tick: null }
  const own = barOpenTime(tick.time, '5m')
  const isSuperseded = bar.openTime === own && bar.close !== tick.price && canBeSuperseded
  if (bar.openTime <= own && !isSuperseded) return fromTick(tick)
  // No price of the bar is older than its opening, and its last price is no older than the newest tick.
  return { last: bar.close, time: instant(Math.max(bar.openTime, tick.time)), tick: null }
}

function fromTick(tick: Tick): Omit<Quote, 'open'> {
  return { last: tick.price, time: tick.time, tick }
}

/** The opening time of the bar in which the last 24 hours begin. */
function edgeAt(now: Instant): number {
  return Math.floor((now - DAY_MS) / BAR_MS) * BAR_MS
}

function rangeOf(bars: readonly Candle[]): Range {
  let { high, low, volume: traded } = NOTHING
  for (const bar of bars) {
    high = Math.max(high, bar.high)
    low = Math.min(low, bar.low)
    traded = addVolumes(traded, bar.volume)
  }
  return { high, low, volume: traded }
}

function asPrice(units: number): Price {
  return units as Price
}
