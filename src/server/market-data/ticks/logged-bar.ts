import { barOpenTime, type Candle } from '#core/markets/candle.ts'
import type { Tick } from '#core/markets/tick.ts'
import { addVolumes, type Price, type Volume, volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** Highest and lowest price and the volume of a set of ticks. */
export interface Range {
  readonly high: number
  readonly low: number
  readonly volume: Volume
}

/** Holds the logged ticks of one five-minute bar, so that a window may begin inside the bar. */
export class LoggedBar {
  readonly openTime: Instant
  private readonly times: number[] = []
  private readonly prices: Price[] = []
  private readonly volumes: Volume[] = []
  private rest: { readonly from: number; readonly range: Range } | null = null
  private compared: { readonly candle: Candle; readonly isWhole: boolean } | null = null

  constructor(first: Tick) {
    this.openTime = barOpenTime(first.time, '5m')
  }

  /** Adds the next tick of the log. */
  add(tick: Tick): void {
    this.times.push(tick.time)
    this.prices.push(tick.price)
    this.volumes.push(tick.volume)
  }

  /** Returns the price of the last tick at or before an instant; null when there is none in this bar. */
  priceAt(at: number): Price | null {
    return this.prices[this.countThrough(at) - 1] ?? null
  }

  /** Returns the price of the first tick after an instant; null when there is none in this bar. */
  firstAfter(at: number): Price | null {
    return this.prices[this.countThrough(at)] ?? null
  }

  /** Returns the range of the ticks after an instant. */
  rangeAfter(at: number): Range {
    const from = this.countThrough(at)
    if (this.rest?.from !== from) this.rest = { from, range: this.rangeFrom(from) }
    return this.rest.range
  }

  /** Whether a candle is the fold of exactly these ticks. Then the log holds all of them. */
  isWhole(candle: Candle): boolean {
    if (this.compared?.candle !== candle) this.compared = { candle, isWhole: this.isFoldedTo(candle) }
    return this.compared.isWhole
  }

  private isFoldedTo(candle: Candle): boolean {
    const { high, low, volume: traded } = this.rangeFrom(0)
    return (
      candle.openTime === this.openTime &&
      candle.open === this.prices[0] &&
      candle.close === this.prices.at(-1) &&
      candle.high === high &&
      candle.low === low &&
      candle.volume === traded
    )
  }

  private rangeFrom(index: number): Range {
    let high = 0
    let low = Number.POSITIVE_INFINITY
    let traded = volume(0)
    for (let next = index; next < this.prices.length; next += 1) {
      const units = this.prices[next] ?? 0
      if (units > high) high = units
      if (units < low) low = units
      traded = addVolumes(traded, this.volumes[next] ?? volume(0))
    }
    return { high, low, volume: traded }
  }

  private countThrough(at: number): number {
    let low = 0
    let high = this.times.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.times[middle] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return low
  }
}
