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
  /** The first bar there is. */
  readonly first: Instant
  readonly now: () => Instant
  readonly intervals?: readonly ChartInterval[]
  readonly mostBars?: number
  /** Its days begin so much after midnight. */
  readonly dayShiftMs?: number
}

/** A provider's past as a pure function of time: every seventh minute has no trade. It fails when it is told to. */
export class ScriptedHistory implements ProviderHistory {
  readonly intervals: readonly ChartInterval[]
  readonly mostBars: number
  readonly asked: ProviderCandleQuery[] = []
  failure: ProviderError | null = null
  /** Answers nothing until it is let go. */
  hangs = false
  /** Bars that open then make no sense, of whatever interval. */
  readonly garbled = new Set<number>()
  private waiting: (() => void)[] = []
  private readonly options: ScriptedHistoryOptions

  constructor(options: ScriptedHistoryOptions) {
    this.options = options
    this.intervals = options.intervals ?? CHART_INTERVALS
    this.mostBars = options.mostBars ?? 1_000
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    this.asked.push(query)
    if (this.hangs) await new Promise<void>((resolve) => this.waiting.push(resolve))
    if (this.failure !== null) throw this.failure
    const { interval, from, before } = query
    const length = intervalMs(interval)
    if ((before - from) / length > this.mostBars) throw new Error('more bars than it gives in a call')
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

  /** Minutes up to an hour are folded; days are as their first hour, for speed. */
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

/** More digits than the symbol has: each price is a little above the unit it rounds to. */
function text(units: number): string {
  return `${formatDecimal(BigInt(units), 2)}49`
}
