import { z } from 'zod'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'

/**
 * A few questions in the exchanges' own words, so that their clients get going when they are given our address. Nothing
 * here takes orders. They are no calls of ours: answers come without an envelope, errors as `{ code, msg }`.
 */
export interface ExchangeQuestion {
  readonly path: string
  readonly summary: string
  readonly query?: z.ZodObject
  readonly reply: z.ZodType
}

const Text = z.string()
const Millis = z.coerce.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER)

export const ExchangeSymbol = z.object({
  symbol: Text,
  status: z.enum(['TRADING', 'BREAK']).meta({ description: 'BREAK while its market is closed.' }),
  baseAsset: Text,
  baseAssetPrecision: z.number().int(),
  quoteAsset: Text,
  quotePrecision: z.number().int(),
  quoteAssetPrecision: z.number().int(),
  orderTypes: z.array(Text).meta({ description: 'Empty: there are no orders of that kind here.' }),
  isSpotTradingAllowed: z.literal(false),
  isMarginTradingAllowed: z.literal(false),
  filters: z.array(z.object({ filterType: Text, minPrice: Text, maxPrice: Text, tickSize: Text })),
  permissions: z.array(Text),
})

export const ExchangeProduct = z.object({
  id: Text,
  base_currency: Text,
  quote_currency: Text,
  quote_increment: Text,
  base_increment: Text,
  display_name: Text,
  margin_enabled: z.literal(false),
  post_only: z.literal(false),
  limit_only: z.literal(false),
  cancel_only: z.literal(false),
  trading_disabled: z.literal(true).meta({ description: 'There are no orders of that kind here.' }),
  status: z.enum(['online', 'offline']).meta({ description: 'offline while its market is closed.' }),
  status_message: Text,
})

export const KlinesQuery = z.object({
  symbol: z.string().max(20),
  interval: z.enum(CHART_INTERVALS),
  startTime: Millis.optional(),
  endTime: Millis.optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(500),
})

/** Open time, open, high, low, close, volume, close time; then what is not told: zeros, as the stream has them. */
const KlineRow = z.tuple([
  z.number(),
  Text,
  Text,
  Text,
  Text,
  Text,
  z.number(),
  Text,
  z.literal(0),
  Text,
  Text,
  z.literal('0'),
])
export type KlineRow = z.output<typeof KlineRow>

export const exchangeRest = {
  ping: { path: '/v3/ping', summary: 'Answers.', reply: z.object({}) },
  time: { path: '/v3/time', summary: 'Our clock.', reply: z.object({ serverTime: z.number() }) },
  exchangeInfo: {
    path: '/v3/exchangeInfo',
    summary: 'All symbols.',
    reply: z.object({
      timezone: z.literal('UTC'),
      serverTime: z.number(),
      rateLimits: z.array(
        z.object({ rateLimitType: Text, interval: Text, intervalNum: z.number(), limit: z.number() }),
      ),
      exchangeFilters: z.array(z.never()),
      symbols: z.array(ExchangeSymbol),
    }),
  },
  klines: { path: '/v3/klines', summary: 'Candles, ascending.', query: KlinesQuery, reply: z.array(KlineRow) },
  clock: {
    path: '/time',
    summary: 'Our clock, as clients of the ticker channel ask for it.',
    reply: z.object({ iso: Text, epoch: z.number() }),
  },
  products: {
    path: '/products',
    summary: 'All symbols, as the ticker channel names them.',
    reply: z.array(ExchangeProduct),
  },
  currencies: {
    path: '/currencies',
    summary: 'What the symbols are made of.',
    reply: z.array(z.object({ id: Text, name: Text, status: z.literal('online') })),
  },
} as const satisfies Record<string, ExchangeQuestion>
