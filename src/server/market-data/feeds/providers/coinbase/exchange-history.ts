import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { type Instant, instant, toIso } from '#core/time/instant.ts'
import { type BarFields, soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { ExchangeTrades } from '#server/market-data/feeds/providers/coinbase/exchange-trades.ts'
import { decimalNumber, isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { readSeconds } from '#server/market-data/feeds/providers/provider-time.ts'
import {
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
  type ProviderHistory,
  type ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import type { ProviderTrades } from '#server/market-data/feeds/providers/provider-trades.ts'
import type { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import { REST_LIMITS, RestClient, type RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'

/** 300 bars per call, counting the first and the last bar. Coinbase refuses larger requests. */
const MAX_BARS = 300

/** Coinbase allows ten calls a second from one address. */
const LIMITS: RestLimits = { ...REST_LIMITS, betweenCallsMs: 150 }

/** The bars and trades of Coinbase Exchange, which has no bars of 30 minutes. */
export class ExchangeHistory implements ProviderHistory {
  readonly intervals: readonly ChartInterval[] = ['1m', '5m', '1h', '1d']
  readonly maxBars = MAX_BARS
  readonly trades: ProviderTrades
  private readonly rest: RestClient
  private readonly tools: Pick<ProviderTools, 'clock'>

  constructor(url: string, tools: Pick<ProviderTools, 'clock'>, limits: Partial<RestLimits> = {}, rest?: RestPeriod) {
    this.tools = tools
    this.rest = new RestClient(tools, { url }, { ...LIMITS, ...limits }, readCoinbaseRefusal, rest)
    this.trades = new ExchangeTrades(this.rest)
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    const bounds = barBounds(query, MAX_BARS)
    if (bounds === null) return []
    const rows = await this.rest.get(`/products/${encodeURIComponent(query.symbol)}/candles`, {
      granularity: intervalMs(query.interval) / 1_000,
      start: toIso(bounds.first),
      end: toIso(bounds.last),
    })
    if (!Array.isArray(rows)) throw new ProviderError('the reply contains no bars', { retry: true })
    return soundBars(rows.map(barOf), query, this.tools.clock.now())
  }

  stop(): void {
    this.rest.stop()
  }
}

/** A row lists low before open, newest row first, all as numbers. */
function barOf(row: unknown): BarFields {
  const [seconds, ...rest]: unknown[] = Array.isArray(row) ? row : []
  const [low, high, open, close, volume] = rest.map(decimalNumber)
  return { openTime: readSeconds(seconds), open, high, low, close, volume }
}

/** The openings of the first and last requested bar, at most `limit` bars; null when there are none. */
export function barBounds(
  { interval, from, before }: ProviderCandleQuery,
  limit: number,
): { first: Instant; last: Instant } | null {
  const length = intervalMs(interval)
  const first = Math.ceil(from / length) * length
  const last = Math.min(Math.ceil(before / length) * length - length, first + (limit - 1) * length)
  return last < first ? null : { first: instant(first), last: instant(last) }
}

/** Both Coinbase services describe the error in `message`. */
export function readCoinbaseRefusal(status: number, body: unknown): ProviderError | null {
  if (status < 400 || status >= 500 || !isObject(body) || typeof body['message'] !== 'string') return null
  return new ProviderError(`Coinbase refused it: ${body['message']}`.slice(0, 200), { retry: false })
}
