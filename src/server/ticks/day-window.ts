import type { Candle } from '#core/markets/candle.ts'
import { candleOnBasis, type Split } from '#core/markets/splits.ts'
import { addVolumes, type Price, type Volume, volume } from '#core/money/price.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { type DayStart, dayStartedAt } from '#core/time/day-start.ts'
import { DAY_MS, type Instant } from '#core/time/instant.ts'
import type { DayStats } from '#server/ticks/ticks.ts'

const BAR_MS = intervalMs('5m')
const SPARK_POINTS = 30

interface Summary {
  readonly from: number
  readonly basis: Instant | null
  readonly bars: readonly Candle[]
  readonly open: Price | null
  readonly high: number
  readonly low: number
  readonly volume: Volume
}

/**
 * The last 24 hours of one symbol in five-minute bars. The price 24 hours ago is the last close before the window, or
 * the first price known when there is none; a closed weekend therefore shows no change instead of nothing.
 * After a split all figures are on the basis of the newest price; the bars themselves stay as they were traded.
 */
export class DayWindow {
  private readonly splits: () => readonly Split[]
  private bars: Candle[] = []
  private summary: Summary | null = null

  constructor(splits: () => readonly Split[] = () => []) {
    this.splits = splits
  }

  load(bars: readonly Candle[]): void {
    this.bars = [...bars]
    this.summary = null
  }

  /** Usually the newest bar; after a restart one from before the pause may close late. */
  add(closed: Candle): void {
    const place = this.bars.findLastIndex((bar) => bar.openTime <= closed.openTime)
    const known = this.bars[place]?.openTime === closed.openTime
    this.bars.splice(known ? place : place + 1, known ? 1 : 0, closed)
    this.summary = null
  }

  stats(now: Instant, open5m: Candle | null): DayStats | null {
    const openBar = this.ifNewest(open5m)
    const summary = this.summaryAt(now, openBar)
    const last = openBar?.close ?? this.bars.at(-1)?.close
    const open = summary.open ?? openBar?.open
    if (last === undefined || open === undefined) return null
    const closes = summary.bars.map((bar) => bar.close)
    if (openBar !== null) closes.push(openBar.close)
    if (closes.length === 0) closes.push(last)
    const high = Math.max(summary.high, openBar?.high ?? 0)
    const low = Math.min(summary.low, openBar?.low ?? Number.POSITIVE_INFINITY)
    const openOf = (start: DayStart) => this.openAt(dayStartedAt(start, now), openBar) ?? open
    return {
      open,
      openOf: { hkt: openOf('hkt'), utc: openOf('utc') },
      high: high === 0 ? last : asPrice(high),
      low: low === Number.POSITIVE_INFINITY ? last : asPrice(low),
      last,
      volume: openBar === null ? summary.volume : addVolumes(summary.volume, openBar.volume),
      spark: evenlySpaced(closes),
    }
  }

  /** The price 24 hours ago alone: asked for with every tick. */
  openPrice(now: Instant, openBar: Candle | null): Price | null {
    return this.summaryAt(now, this.ifNewest(openBar)).open ?? openBar?.open ?? null
  }

  /** The price at an instant of the window: the last close before it, or the first price known after. */
  private openAt(at: Instant, openBar: Candle | null): Price | null {
    const before = this.bars.findLast((bar) => bar.openTime < at)
    const first = this.bars[0]
    if (before !== undefined) return this.onBasis(before, openBar).close
    return first === undefined ? null : this.onBasis(first, openBar).open
  }

  /** A bar in the basis of the newest one. */
  private onBasis(bar: Candle, openBar: Candle | null): Candle {
    const newest = openBar ?? this.bars.at(-1)
    return newest === undefined ? bar : candleOnBasis(bar, newest.openTime, this.splits())
  }

  /** The newest split that the newest price comes after. */
  private basisOf(openBar: Candle | null): Instant | null {
    const newest = openBar ?? this.bars.at(-1)
    if (newest === undefined) return null
    return this.splits().findLast(({ effectiveAt }) => effectiveAt <= newest.openTime)?.effectiveAt ?? null
  }

  private ifNewest(bar: Candle | null): Candle | null {
    const newest = this.bars.at(-1)
    return bar !== null && (newest === undefined || bar.openTime > newest.openTime) ? bar : null
  }

  private summaryAt(now: Instant, openBar: Candle | null): Summary {
    const from = Math.floor((now - DAY_MS) / BAR_MS) * BAR_MS
    const basis = this.basisOf(openBar)
    if (this.summary !== null && this.summary.from === from && this.summary.basis === basis) return this.summary
    const begin = this.bars.findIndex((bar) => bar.openTime >= from)
    const first = begin === -1 ? this.bars.length : begin
    // One bar from before the window stays: its close is the price at the window's beginning.
    if (first > 1) this.bars.splice(0, first - 1)
    const shown = this.bars.map((bar) => this.onBasis(bar, openBar))
    const before = first > 0 ? shown[0] : undefined
    const bars = before === undefined ? shown : shown.slice(1)
    let high = 0
    let low = Number.POSITIVE_INFINITY
    let traded = volume(0)
    for (const bar of bars) {
      high = Math.max(high, bar.high)
      low = Math.min(low, bar.low)
      traded = addVolumes(traded, bar.volume)
    }
    this.summary = { from, basis, bars, open: before?.close ?? bars[0]?.open ?? null, high, low, volume: traded }
    return this.summary
  }
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
