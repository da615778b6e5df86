import { CHART_INTERVALS, intervalMs } from '#core/time/chart-interval.ts'
import { type BarFields, soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { decimalText, isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { readMs } from '#server/market-data/feeds/providers/provider-time.ts'
import {
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
  type ProviderHistory,
  type ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import type { RestClient } from '#server/market-data/feeds/providers/rest-client.ts'

const MAX_BARS = 1_000

/** Historical bars from Binance. */
export class BinanceHistory implements ProviderHistory {
  readonly intervals = CHART_INTERVALS
  readonly maxBars = MAX_BARS
  readonly #rest: RestClient
  readonly #tools: Pick<ProviderTools, 'clock'>

  constructor(rest: RestClient, tools: Pick<ProviderTools, 'clock'>) {
    this.#rest = rest
    this.#tools = tools
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    const { symbol, interval, from, before } = query
    if (before <= from) return []
    const limit = Math.min(MAX_BARS, Math.ceil((before - from) / intervalMs(interval)) + 1)
    const params = { symbol: symbol.toUpperCase(), interval, startTime: from, endTime: before - 1, limit }
    const rows = await this.#rest.get('/api/v3/klines', params)
    if (!Array.isArray(rows)) throw new ProviderError('the reply contains no bars', { retry: true })
    return soundBars(rows.map(barOf), query, this.#tools.clock.now())
  }
}

/** Times are numbers, all other fields text. */
function barOf(row: unknown): BarFields {
  const [at, ...rest] = Array.isArray(row) ? (row as unknown[]) : []
  const [open, high, low, close, volume] = rest.map(decimalText)
  return { openTime: readMs(at), open, high, low, close, volume }
}

/** A refusal that a retry would repeat. */
export class BinanceRefusal extends ProviderError {
  readonly code: number

  constructor(code: number, message: string) {
    super(`Binance refused it: ${code} ${message.slice(0, 200)}`, { retry: false })
    this.code = code
  }

  get isAboutTheSymbol(): boolean {
    return this.code === -1121 || this.code === -1100
  }
}

/** Parses Binance's error body. */
export function readBinanceRefusal(status: number, body: unknown): ProviderError | null {
  if (status < 400 || status >= 500 || !isObject(body) || typeof body.code !== 'number') return null
  return new BinanceRefusal(body.code, String(body.msg))
}
