import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { type BarFields, soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { barBounds, readCoinbaseRefusal } from '#server/market-data/feeds/providers/coinbase/exchange-history.ts'
import { decimalText, isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { readSecondsText } from '#server/market-data/feeds/providers/provider-time.ts'
import {
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
  type ProviderHistory,
  type ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import type { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import { REST_LIMITS, RestClient, type RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'

const MAX_BARS = 350

/** Coinbase allows ten calls a second from one address. */
const LIMITS: RestLimits = { ...REST_LIMITS, betweenCallsMs: 150 }

const GRANULARITIES: Record<ChartInterval, string> = {
  '1m': 'ONE_MINUTE',
  '5m': 'FIVE_MINUTE',
  '30m': 'THIRTY_MINUTE',
  '1h': 'ONE_HOUR',
  '1d': 'ONE_DAY',
}

/** Historical bars of Coinbase Advanced Trade, from its public API. */
export class AdvancedHistory implements ProviderHistory {
  readonly intervals = CHART_INTERVALS
  readonly maxBars = MAX_BARS
  private readonly rest: RestClient
  private readonly tools: Pick<ProviderTools, 'clock'>

  constructor(url: string, tools: Pick<ProviderTools, 'clock'>, limits: Partial<RestLimits> = {}, rest?: RestPeriod) {
    this.tools = tools
    this.rest = new RestClient(tools, { url }, { ...LIMITS, ...limits }, readCoinbaseRefusal, rest)
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    const bounds = barBounds(query, MAX_BARS)
    if (bounds === null) return []
    const path = `/api/v3/brokerage/market/products/${encodeURIComponent(query.symbol)}/candles`
    const answer = await this.rest.get(path, {
      granularity: GRANULARITIES[query.interval],
      start: bounds.first / 1_000,
      end: bounds.last / 1_000,
    })
    const bars = isObject(answer) ? answer['candles'] : null
    if (!Array.isArray(bars)) throw new ProviderError('the reply contains no bars', { retry: true })
    return soundBars(bars.map(barOf), query, this.tools.clock.now())
  }

  stop(): void {
    this.rest.stop()
  }
}

/** The reply lists the newest bar first, with all fields as text. */
function barOf(bar: unknown): BarFields {
  const { start, open, high, low, close, volume } = isObject(bar) ? bar : {}
  return {
    openTime: readSecondsText(start),
    open: decimalText(open),
    high: decimalText(high),
    low: decimalText(low),
    close: decimalText(close),
    volume: decimalText(volume),
  }
}
