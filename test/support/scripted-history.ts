import { foldCandles } from '#core/markets/candle.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { price, volume } from '#core/money/price.ts'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { type Instant, instant, MINUTE_MS } from '#core/time/instant.ts'
import {
  PartialBars,
  type ProviderCandle,
  type ProviderCandleQuery,
  type ProviderError,
  type ProviderHistory,
} from '#server/market-data/feeds/providers/provider.ts'

export interface ScriptedHistoryOptions {
  /** The opening time of the first bar. */
  readonly first: Instant
  readonly now: () => Instant
  readonly intervals?: readonly ChartInterval[]
  readonly maxBars?: number
  /** The offset of its days from midnight, in ms. */
  readonly dayShiftMs?: number
}

/** A provider history computed from the time alone: every seventh minute has no trade. It fails on request. */
export class ScriptedHistory implements ProviderHistory {
  readonly intervals: readonly ChartInterval[]
  readonly maxBars: number
  readonly queries: ProviderCandleQuery[] = []
  failure: ProviderError | null = null
  /** While true, calls get no reply. */
  hangs = false
  /** Opening times at which bars of any interval are invalid. */
  readonly garbled = new Set<number>()
  private waiting: (() => void)[] = []
  private readonly options: ScriptedHistoryOptions

  constructor(options: ScriptedHistoryOptions) {
    this.options = options
    this.intervals = options.intervals ?? CHART_INTERVALS
    this.maxBars = options.maxBars ?? 1_000
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    this.queries.push(query)
    if (this.hangs) await new Promise<void>((resolve) => this.waiting.push(resolve))
    if (this.failure !== null) throw this.failure
    const { interval, from, before } = query
    const length = intervalMs(interval)
    if ((before - from) / length > this.maxBars) throw new Error('the call asks for more bars than the limit')
    const shift = interval === '1d' ? (this.options.dayShiftMs ?? 0) : 0
    const bars: ProviderCandle[] = []
    const unread: Instant[] = []
    for (let open = Math.ceil((from - shift) / length) * length + shift; open < before; open += length) {
      if (open + length > this.options.now()) break
      const bar = this.bar(instant(open), interval)
      if (bar === null) continue
      if (this.garbled.has(open)) unread.push(bar.openTime)
      else bars.push(bar)
    }
    if (unread.length > 0) throw new PartialBars(bars, unread)
    return bars
  }

  letGo(): void {
    this.hangs = false
    for (const go of this.waiting.splice(0)) go()
  }

  /** Folds minutes for intervals up to an hour. A day equals its first hour, for speed. */
  private bar(open: Instant, interval: ChartInterval): ProviderCandle | null {
    if (open + intervalMs(interval) <= this.options.first) return null
    const span = interval === '1d' ? intervalMs('1h') : intervalMs(interval)
    const minutes = Array.from({ length: span / MINUTE_MS }, (_, index) => open + index * MINUTE_MS)
      .filter((at) => at >= this.options.first && (at / MINUTE_MS) % 7 !== 0)
      .map((at) => ({
        openTime: instant(at),
        open: price(10_000 + ((at / MINUTE_MS) % 97)),
        high: price(10_200 + ((at / MINUTE_MS) % 89)),
        low: price(9_800 - ((at / MINUTE_MS) % 83)),
        close: price(10_000 + ((at / MINUTE_MS + 1) % 97)),
        volume: volume(1_000_000),
      }))
    const [folded] = foldCandles(
      minutes.map((minute) => ({ ...minute, openTime: open })),
      '1m',
    )
    if (folded === undefined) return null
    return {
      openTime: open,
      open: text(folded.open),
      high: text(folded.high),
      low: text(folded.low),
      close: text(folded.close),
      volume: formatDecimal(BigInt(folded.volume), 6),
    }
  }
}

/** Formats the price with more digits than the symbol has, slightly above the unit to which it rounds. */
function text(units: number): string {
  return `${formatDecimal(BigInt(units), 2)}49`
}
