import { z } from 'zod'
import { CHART_INTERVALS, type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { type BarFields, soundBars } from '#server/market-data/feeds/providers/bars.ts'
import { decimalNumber, isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { readSeconds } from '#server/market-data/feeds/providers/provider-time.ts'
import {
  type ProviderCandle,
  type ProviderCandleQuery,
  ProviderError,
  type ProviderHistory,
  type ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import type { RestPeriod } from '#server/market-data/feeds/providers/rest-period.ts'
import { REST_LIMITS, RestClient, type RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'

/** Finnhub allows sixty calls a minute. */
const LIMITS: RestLimits = { ...REST_LIMITS, betweenCallsMs: 1_000 }

/** Finnhub returns at most a month of bars per call when they are shorter than a day. */
const MAX_BARS = 600

const RESOLUTIONS: Record<ChartInterval, string> = { '1m': '1', '5m': '5', '30m': '30', '1h': '60', '1d': 'D' }

/** Prefixes of currency brokers. Any other prefix before the colon is a crypto exchange. */
const BROKERS = /^(?:oanda|fxcm|forex(?:\.com)?|ic markets|icm(?: trader)?|fxpro|fhfx|pepperstone(?: ?uk)?):/i

/** Historical bars of Finnhub. */
export class FinnhubHistory implements ProviderHistory {
  readonly intervals = CHART_INTERVALS
  readonly maxBars = MAX_BARS
  private readonly rest: RestClient
  private readonly tools: Pick<ProviderTools, 'clock'>

  constructor(
    { url, key }: { url: string; key: string },
    tools: Pick<ProviderTools, 'clock'>,
    limits: Partial<RestLimits> = {},
    rest?: RestPeriod,
  ) {
    this.tools = tools
    const address = { url, headers: { 'x-finnhub-token': key }, key }
    this.rest = new RestClient(tools, address, { ...LIMITS, ...limits }, readFinnhubRefusal, rest)
  }

  async candles(query: ProviderCandleQuery): Promise<ProviderCandle[]> {
    const { symbol, interval, from, before } = query
    if (before <= from) return []
    const length = intervalMs(interval)
    const until = Math.min(before, from + MAX_BARS * length)
    const answer = await this.rest.get(`/${marketOf(symbol)}/candle`, {
      symbol,
      resolution: RESOLUTIONS[interval],
      from: Math.floor(from / 1_000),
      to: Math.floor((until - 1) / 1_000),
    })
    // Hourly bars of stocks may begin with the session, and daily bars of currencies in the evening. Bars that begin at
    // such times do not match ours.
    const bars = barsOf(answer).filter(({ openTime }) => Number(openTime ?? 0) % length === 0)
    return soundBars(bars, query, this.tools.clock.now())
  }

  stop(): void {
    this.rest.stop()
  }
}

function marketOf(symbol: string): 'stock' | 'forex' | 'crypto' {
  if (!symbol.includes(':')) return 'stock'
  return BROKERS.test(symbol) ? 'forex' : 'crypto'
}

const LIST = z.array(z.unknown())
const LISTS = z.object({ s: z.literal('ok'), t: LIST, o: LIST, h: LIST, l: LIST, c: LIST, v: LIST })

/** The reply has one list per field, all of the same length. Minutes without a trade are missing. */
function barsOf(answer: unknown): BarFields[] {
  if (isObject(answer) && answer['s'] === 'no_data') return []
  const lists = LISTS.safeParse(answer)
  if (!lists.success) throw new ProviderError('the reply contains no bars', { retry: true })
  const { t, o, h, l, c, v } = lists.data
  if ([o, h, l, c, v].some((list) => list.length !== t.length)) {
    throw new ProviderError('the reply contains incomplete bars', { retry: true })
  }
  return t.map((seconds, at) => ({
    openTime: readSeconds(seconds),
    open: decimalNumber(o[at]),
    high: decimalNumber(h[at]),
    low: decimalNumber(l[at]),
    close: decimalNumber(c[at]),
    volume: decimalNumber(v[at]),
  }))
}

/** Finnhub describes the problem in `error`: a wrong key, or a feature outside the plan. */
export function readFinnhubRefusal(status: number, body: unknown): ProviderError | null {
  if (status < 400 || status >= 500 || !isObject(body) || typeof body['error'] !== 'string') return null
  return new ProviderError(`Finnhub refused it: ${body['error']}`.slice(0, 200), { retry: false })
}
