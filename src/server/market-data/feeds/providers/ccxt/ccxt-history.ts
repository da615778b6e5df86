import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import { type BarFields, soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { readTime } from '#server/market-data/feeds/providers/provider-time.ts'
import { wordsOf } from '#server/market-data/feeds/providers/ccxt/ccxt-exchange.ts'
import type { HideKey } from '#server/market-data/feeds/providers/hide-key.ts'
import type { CcxtExchange } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import {
  PartialBars,
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
  type ProviderHistory,
  type ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'

/** Most exchanges return at least 200 bars. The next call requests any that were cut off. */
const MAX_BARS = 200

/** The exchange's own bars, read through the library. */
export class CcxtHistory implements ProviderHistory {
  readonly intervals: readonly ChartInterval[]
  readonly maxBars = MAX_BARS
  readonly #exchange: CcxtExchange
  readonly #tools: Pick<ProviderTools, 'clock'>
  readonly #markets: () => Promise<void>
  readonly #hideKey: HideKey

  constructor(
    exchange: CcxtExchange,
    tools: Pick<ProviderTools, 'clock'>,
    markets: () => Promise<void>,
    hideKey: HideKey,
  ) {
    const timeframes = exchange.timeframes ?? {}
    this.intervals = CHART_INTERVALS.filter((interval) => Object.hasOwn(timeframes, interval))
    this.#exchange = exchange
    this.#tools = tools
    this.#markets = markets
    this.#hideKey = hideKey
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    const { interval, from, before } = query
    if (before <= from) return []
    try {
      await this.#markets()
      const rows = await this.#rows(query)
      const bars = soundBars(rows, query, this.#tools.clock.now())
      const missing = await this.#withheld(query, oldestOf(rows))
      if (missing.length === 0) return bars
      if (bars.length === 0) throw new ProviderError(`has only newer bars of ${interval}`, { retry: true })
      throw new PartialBars(bars, missing)
    } catch (error) {
      throw providerError(error, this.#hideKey)
    }
  }

  async #rows({ symbol, interval, from, before }: ProviderCandleQuery): Promise<BarFields[]> {
    const limit = Math.min(MAX_BARS, Math.ceil((before - from) / intervalMs(interval)) + 1)
    const rows = await this.#exchange.fetchOHLCV(symbol, interval, from, limit)
    if (!Array.isArray(rows)) throw new ProviderError('the reply contains no bars', { retry: true })
    return rows.map(barOf)
  }

  /**
   * Returns the requested openings before the oldest bar of a reply that are unknown. Some exchanges return only their
   * newest bars of each interval, whatever time is requested. The bars before them then look like bars without trades.
   * A longer bar with a volume shows that there were trades.
   */
  async #withheld(query: ProviderCandleQuery, oldest: Instant | null): Promise<Instant[]> {
    const { interval, from, before } = query
    const length = intervalMs(interval)
    const first = Math.ceil(from / length) * length
    if (oldest === null || oldest <= first) return []
    for (const longer of this.intervals) {
      const longerMs = intervalMs(longer)
      if (longerMs <= length || Math.ceil(from / longerMs) * longerMs + longerMs > oldest) continue
      const until = instant(Math.min(oldest, before + longerMs))
      const rows = await this.#rows({ ...query, interval: longer, before: until })
      const isTraded = rows.some(({ openTime, volume }) => {
        const at = readTime(openTime)
        return at !== null && at >= from && at + longerMs <= oldest && Number(volume) > 0
      })
      if (isTraded) {
        const end = Math.min(oldest, before)
        return Array.from({ length: Math.ceil((end - first) / length) }, (_, nth) => instant(first + nth * length))
      }
    }
    return []
  }
}

function oldestOf(rows: readonly BarFields[]): Instant | null {
  const times = rows.flatMap(({ openTime }) => readTime(openTime) ?? [])
  return times.length === 0 ? null : instant(Math.min(...times))
}

function barOf(row: unknown): BarFields {
  const [openTime, open, high, low, close, volume] = Array.isArray(row) ? (row as unknown[]) : []
  return { openTime, open, high, low, close, volume }
}

/** Errors of the library that a retry would repeat. */
const FINAL = new Set(['BadSymbol', 'BadRequest', 'NotSupported', 'ArgumentsRequired', 'AuthenticationError'])

/** Whether a retry would fail again. Checks the error's base classes too. */
export function isFinal(error: unknown): boolean {
  for (let kind: unknown = error; kind instanceof Error; kind = Object.getPrototypeOf(kind))
    if (FINAL.has(kind.constructor.name)) return true
  return false
}

function providerError(error: unknown, hideKey: HideKey): ProviderError {
  return error instanceof ProviderError ? error : new ProviderError(wordsOf(error, hideKey), { retry: !isFinal(error) })
}
