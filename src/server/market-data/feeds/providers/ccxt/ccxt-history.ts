import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { wordsOf } from '#server/market-data/feeds/providers/ccxt/ccxt-exchange.ts'
import type { HideKey } from '#server/market-data/feeds/providers/hide-key.ts'
import type { CcxtExchange } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import {
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
    const { symbol, interval, from, before } = query
    if (before <= from) return []
    const limit = Math.min(MAX_BARS, Math.ceil((before - from) / intervalMs(interval)) + 1)
    try {
      await this.#markets()
      const rows = await this.#exchange.fetchOHLCV(symbol, interval, from, limit)
      if (!Array.isArray(rows)) throw new ProviderError('the reply contains no bars', { retry: true })
      return soundBars(rows.map(barOf), query, this.#tools.clock.now())
    } catch (error) {
      throw providerError(error, this.#hideKey)
    }
  }
}

function barOf(row: unknown) {
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
