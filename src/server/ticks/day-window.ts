import { barOpenTime, type Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { mulDivHalfEven } from '#core/money/decimal.ts'
import { candleOnBasis, priceOnBasis, type Split } from '#core/markets/splits.ts'
import { addVolumes, type Price, type Volume, volume } from '#core/money/price.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { type DayStart, dayStartedAt } from '#core/time/day-start.ts'
import { DAY_MS, instant, later, type Instant } from '#core/time/instant.ts'
import type { LoggedBar, Range } from '#server/ticks/logged-bar.ts'
import { sparkOf } from '#server/ticks/spark.ts'
import type { DayStats, Quote } from '#server/ticks/ticks.ts'

const BAR_MS = intervalMs('5m')
const NOTHING: Range = { high: 0, low: Number.POSITIVE_INFINITY, volume: volume(0) }

/** What may be the newest price of a symbol. */
export interface Newest {
  readonly tick: Tick | null
  /** The five-minute bar under construction. */
  readonly openBar: Candle | null
  /** Whether prices after the tick may have been missed: then a bar of its time that closed elsewhere knows better. */
  readonly mayBeOvertaken: boolean
}

/** The bars of a window that begins in the bar that opens at `from`, on one basis. */
interface Frame {
  readonly from: Instant
  readonly basis: Split | null
  /** The last bar before that one. */
  readonly before: Candle | null
  /** The bar in which the window begins. */
  readonly edge: Candle | null
  readonly rest: readonly Candle[]
  readonly restRange: Range
}

/**
 * The one place that computes the figures of the last 24 hours of a symbol, from five-minute bars. The bar in which the
 * 24 hours begin is cut by its ticks, so all figures hold to the millisecond where the log has every tick of that bar.
 * Of a bar that the past of the feed told, or that is partial, the whole bar counts, and the price 24 hours ago is the
 * last one known before: at most five minutes older. A closed weekend shows no change instead of nothing.
 * After a split all figures are on the basis of the newest price; the bars themselves stay as they were traded.
 */
export class DayWindow {
  private bars: Candle[] = []
  private logged: LoggedBar[] = []
  private frame: Frame | null = null
  private readonly splits: () => readonly Split[]

  constructor(splits: () => readonly Split[] = () => []) {
    this.splits = splits
  }

  /** Takes bars of the past; newer ones that closed meanwhile stay. */
  load(bars: readonly Candle[]): void {
    const until = bars.at(-1)?.openTime ?? Number.NEGATIVE_INFINITY
    this.bars = [...bars, ...this.bars.filter(({ openTime }) => openTime > until)]
    this.frame = null
  }

  /** Adds a closed bar: usually the newest, after a restart perhaps one from before the pause. */
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

  /** Returns the opening of the oldest bar of the past that is known; null when none is. */
  knownSince(): Instant | null {
    return this.bars[0]?.openTime ?? null
  }

  /** Returns the newest price and the one of 24 hours before; null while no price is known. */
  quote(now: Instant, newest: Newest): Quote | null {
    const openBar = this.ifNewest(newest.openBar)
    const last = newestPrice(newest, openBar ?? this.bars.at(-1) ?? null)
    return last && { ...last, open: this.openAt(later(now, -DAY_MS), last.time) ?? openBar?.open ?? last.last }
  }

  /** Returns all figures of the day; null while no price is known. */
  stats(now: Instant, newest: Newest): DayStats | null {
    const quote = this.quote(now, newest)
    if (quote === null) return null
    const { open, last, time } = quote
    const { edge, rest, restRange } = this.frameAt(now, time)
    const openBar = this.ifNewest(newest.openBar)
    const ranges = [this.edgeRange(later(now, -DAY_MS), time), restRange, openBar ?? NOTHING]
    const bars = [...(edge === null ? [] : [edge]), ...rest, ...(openBar === null ? [] : [openBar])]
    const openOf = (start: DayStart) => this.lastBefore(dayStartedAt(start, now), time) ?? open
    return {
      ...quote,
      openOf: { hkt: openOf('hkt'), utc: openOf('utc') },
      // The price that the window begins with counts: it was the price then.
      high: asPrice(Math.max(open, last, ...ranges.map(({ high }) => high))),
      low: asPrice(Math.min(open, last, ...ranges.map(({ low }) => low))),
      volume: ranges.reduce<Volume>((sum, range) => addVolumes(sum, range.volume), volume(0)),
      spark: sparkOf(bars, now, last),
    }
  }

  /** The price at the beginning of the window: the last one known by then, or the first known since. */
  private openAt(begin: Instant, basisAt: Instant): Price | null {
    const { before, edge, rest } = this.frameAt(later(begin, DAY_MS), basisAt)
    const logged = this.loggedAt(begin)
    const onBasis = (price: Price | null | undefined) =>
      price == null ? null : priceOnBasis(price, begin, basisAt, this.splits())
    const own = onBasis(logged?.priceAt(begin))
    return own ?? before?.close ?? onBasis(logged?.firstAfter(begin)) ?? (edge ?? rest[0])?.open ?? null
  }

  /** What the bar in which the window begins adds to it. */
  private edgeRange(begin: Instant, basisAt: Instant): Range {
    const { from, edge } = this.frameAt(later(begin, DAY_MS), basisAt)
    const logged = this.loggedAt(begin)
    const traded = this.bars.find(({ openTime }) => openTime === from) ?? null
    if (logged === null || (traded !== null && !logged.isWhole(traded))) return edge ?? NOTHING
    const range = logged.rangeAfter(begin)
    if (range.high === 0) return range
    // A split takes effect with a session's first bar, so none lies inside a bar.
    const [high, low] = [asPrice(range.high), asPrice(range.low)]
    const ofRange = { openTime: begin, open: high, high, low, close: low, volume: range.volume }
    return candleOnBasis(ofRange, basisAt, this.splits())
  }

  private loggedAt(begin: Instant): LoggedBar | null {
    const openTime = barOpenTime(begin, '5m')
    return this.logged.find((bar) => bar.openTime === openTime) ?? null
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

/** Returns the change over the day in thousandths of a percent, half to even: the one figure that every reply shows. */
export function changeThousandths({ open, last }: Pick<Quote, 'open' | 'last'>): bigint {
  return mulDivHalfEven(BigInt(last - open), 100_000n, BigInt(open))
}

/** Returns the change over the day in percent, with three decimals. */
export function changePercent(quote: Pick<Quote, 'open' | 'last'>): number {
  return Number(changeThousandths(quote)) / 1_000
}

/** The newest price: the last tick, or the close of a bar of the past that is newer. */
function newestPrice({ tick, mayBeOvertaken }: Newest, bar: Candle | null): Omit<Quote, 'open'> | null {
  if (bar === null) return tick && fromTick(tick)
  if (tick === null) return { last: bar.close, time: bar.openTime, tick: null }
  const own = barOpenTime(tick.time, '5m')
  const isOvertaken = bar.openTime === own && bar.close !== tick.price && mayBeOvertaken
  if (bar.openTime <= own && !isOvertaken) return fromTick(tick)
  // No price of the bar is older than its opening; its last one is no older than our tick.
  return { last: bar.close, time: instant(Math.max(bar.openTime, tick.time)), tick: null }
}

function fromTick(tick: Tick): Omit<Quote, 'open'> {
  return { last: tick.price, time: tick.time, tick }
}

function edgeAt(now: Instant): Instant {
  return instant(Math.floor((now - DAY_MS) / BAR_MS) * BAR_MS)
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
