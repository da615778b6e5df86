import { barOpenTime, type Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { mulDivHalfEven } from '#core/money/decimal.ts'
import { addVolumes, type Price, volume } from '#core/money/price.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { type DayStart, dayStartedAt } from '#core/time/day-start.ts'
import { DAY_MS, instant, type Instant } from '#core/time/instant.ts'
import type { LoggedBar, Range } from '#server/ticks/logged-bar.ts'
import type { DayStats, Quote } from '#server/ticks/ticks.ts'

const BAR_MS = intervalMs('5m')
const SPARK_POINTS = 30
const NOTHING: Range = { high: 0, low: Number.POSITIVE_INFINITY, volume: volume(0) }

/** What may be the newest price of a symbol. */
export interface Newest {
  readonly tick: Tick | null
  /** The five-minute bar under construction. */
  readonly openBar: Candle | null
  /** Whether prices after the tick may have been missed: then a bar of its time that closed elsewhere knows better. */
  readonly mayBeOvertaken: boolean
}

/** The bars of a window that begins in the bar that opens at `from`. */
interface Frame {
  readonly from: number
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
 */
export class DayWindow {
  private bars: Candle[] = []
  private logged: LoggedBar[] = []
  private frame: Frame | null = null

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
    const found = newestPrice(newest, openBar ?? this.bars.at(-1) ?? null)
    if (found === null) return null
    const { last, time, tick } = found
    return { last, time, tick, open: this.openAt(now) ?? openBar?.open ?? last }
  }

  /** Returns all figures of the day; null while no price is known. */
  stats(now: Instant, newest: Newest): DayStats | null {
    const quote = this.quote(now, newest)
    if (quote === null) return null
    const { open, last, time, tick } = quote
    const { edge, rest, restRange } = this.frameAt(now)
    const openBar = this.ifNewest(newest.openBar)
    const begun = this.edgeRange(now)
    const current = openBar ?? NOTHING
    const openOf = (start: DayStart) => this.lastBefore(dayStartedAt(start, now)) ?? open
    return {
      last,
      time,
      tick,
      open,
      // The price that the window begins with counts: it was the price then.
      high: asPrice(Math.max(open, last, begun.high, restRange.high, current.high)),
      low: asPrice(Math.min(open, last, begun.low, restRange.low, current.low)),
      volume: addVolumes(addVolumes(begun.volume, restRange.volume), current.volume),
      // Only lists show these two: sockets ask for the rest with every price.
      get openOf() {
        return { hkt: openOf('hkt'), utc: openOf('utc') }
      },
      get spark() {
        const bars = [edge, ...rest, openBar].filter((bar) => bar !== null)
        const closes = bars.map(({ close }) => close)
        if (closes.at(-1) !== last) closes.push(last)
        return evenlySpaced(closes)
      },
    }
  }

  /** The price at the beginning of the window: the last one known by then, or the first known since. */
  private openAt(now: Instant): Price | null {
    const { from, before, edge, rest } = this.frameAt(now)
    const logged = this.loggedIn(from)
    const begin = now - DAY_MS
    return logged?.priceAt(begin) ?? before?.close ?? logged?.firstAfter(begin) ?? (edge ?? rest[0])?.open ?? null
  }

  /** What the bar in which the window begins adds to it. */
  private edgeRange(now: Instant): Range {
    const { from, edge } = this.frameAt(now)
    const logged = this.loggedIn(from)
    return logged !== null && (edge === null || logged.isWhole(edge))
      ? logged.rangeAfter(now - DAY_MS)
      : (edge ?? NOTHING)
  }

  private loggedIn(from: number): LoggedBar | null {
    for (const bar of this.logged) if (bar.openTime === from) return bar
    return null
  }

  /** The price at an instant of the window: the last close before it, or the first price known after. */
  private lastBefore(at: Instant): Price | null {
    const before = this.bars.findLast((bar) => bar.openTime < at)
    return before?.close ?? this.bars[0]?.open ?? null
  }

  private ifNewest(bar: Candle | null): Candle | null {
    const newest = this.bars.at(-1)
    return bar !== null && (newest === undefined || bar.openTime > newest.openTime) ? bar : null
  }

  private frameAt(now: Instant): Frame {
    const from = edgeAt(now)
    if (this.frame !== null && this.frame.from === from) return this.frame
    const begin = this.bars.findIndex((bar) => bar.openTime >= from)
    const first = begin === -1 ? this.bars.length : begin
    // One bar from before the window stays: its close is the price at the window's beginning.
    if (first > 1) this.bars.splice(0, first - 1)
    const before = first > 0 ? (this.bars[0] ?? null) : null
    const bars = before === null ? this.bars : this.bars.slice(1)
    const edge = bars[0]?.openTime === from ? bars[0] : null
    const rest = edge === null ? [...bars] : bars.slice(1)
    this.frame = { from, before, edge, rest, restRange: rangeOf(rest) }
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

/** When the bar opens in which the last 24 hours begin. */
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

function evenlySpaced(closes: readonly Price[]): Price[] {
  const points: Price[] = []
  for (let point = 0; point < SPARK_POINTS; point += 1) {
    const close = closes[Math.round((point * (closes.length - 1)) / (SPARK_POINTS - 1))]
    if (close !== undefined) points.push(close)
  }
  return points
}

function asPrice(units: number): Price {
  return units as Price
}
