import { z } from 'zod'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'

/**
 * Some market data calls in the format of large exchanges, so that clients written for those exchanges work with this
 * site. None of the calls places orders. The calls are not defined as `Call`, because replies have no envelope. Errors
 * are `{ code, msg }` under `/v3` and `{ message }` elsewhere.
 */
export interface ExchangeQuestion {
  readonly path: string
  readonly summary: string
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly reply: z.ZodType
}

const Text = z.string()
/** Digits only, because `Number` would accept `1e3`, and would read an empty query parameter as 0. */
const Whole = Text.regex(/^\d{1,16}$/)
  .transform(Number)
  .refine((number) => Number.isSafeInteger(number))

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The text is not JSON. The schema refuses null.
    return null
  }
}

export const ExchangeSymbol = z.object({
  symbol: Text,
  status: z.enum(['TRADING', 'BREAK']).meta({ description: 'BREAK while its market is closed.' }),
  baseAsset: Text,
  baseAssetPrecision: z.number().int(),
  quoteAsset: Text,
  quotePrecision: z.number().int(),
  quoteAssetPrecision: z.number().int(),
  orderTypes: z.array(Text).meta({ description: 'Empty: orders of that kind are not offered.' }),
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
  trading_disabled: z.literal(true).meta({ description: 'Orders of that kind are not offered.' }),
  status: z.enum(['online', 'offline']).meta({ description: 'offline while its market is closed.' }),
  status_message: Text,
})

/** Like the exchange, a larger limit counts as the maximum. */
const Limit = Whole.refine((limit) => limit > 0)
  .transform((limit) => Math.min(limit, 1_000))
  .default(500)
const Name = Text.min(1).max(20)
/** A JSON list of symbols in the query: `["BTCUSDT","AAPL"]`. */
const Symbols = Text.max(12_000)
  .transform((text, ctx): string[] => {
    const read = SymbolList.safeParse(parseJson(text))
    if (read.success) return read.data
    ctx.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .meta({ description: 'A JSON list, such as `["BTCUSDT","AAPL"]`.' })
const SymbolList = z.array(Name).min(1).max(500)

const ZONE = /^([+-]?)(\d{1,2})(?::(\d\d))?$/

/** An offset from UTC in hours, or hours and minutes, converted to milliseconds. */
const TimeZone = Text.max(6)
  .transform((text, ctx): number => {
    const [, sign, hours, minutes = '0'] = ZONE.exec(text) ?? []
    const offset = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS)
    if (Number(minutes) < 60 && offset >= -12 * HOUR_MS && offset <= 14 * HOUR_MS) return offset
    ctx.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .meta({
    description: 'For example `8` or `-1:00`. Only zones in which the interval starts at the same instants as in UTC.',
  })

export const KlinesQuery = z.object({
  symbol: Name,
  interval: z.enum(CHART_INTERVALS),
  startTime: Whole.optional(),
  endTime: Whole.optional(),
  timeZone: TimeZone.optional(),
  limit: Limit,
})

/** The query names one symbol (`symbol`) or several (`symbols`). Without either, the reply has all symbols. */
export const SymbolsQuery = z.object({
  symbol: Name.optional(),
  symbols: Symbols.optional(),
  symbolStatus: z.enum(['TRADING', 'HALT', 'BREAK']).optional().meta({ description: 'HALT is never used.' }),
})
export const ExchangeInfoQuery = SymbolsQuery.extend({
  permissions: Text.optional().meta({ description: 'Refused: no symbol has permissions.' }),
  showPermissionSets: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'Changes nothing: no symbol has permissions.' }),
})
export const DayTickerQuery = SymbolsQuery.extend({ type: z.enum(['FULL', 'MINI']).default('FULL') })
export const TradesQuery = z.object({ symbol: Name, limit: Limit })
export const AggregateTradesQuery = TradesQuery.extend({
  fromId: Whole.optional(),
  startTime: Whole.optional(),
  endTime: Whole.optional(),
})
export const ProductParams = z.object({ id: Name })
const MOMENT = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,12}))?)?(Z|[ +-]\d\d(?::?\d\d)?)?)?$/i

/** Returns null for a time that does not exist, such as 30 February. */
function readMoment(text: string): number | null {
  if (/^\d{1,12}$/.test(text)) return Number(text) * SECOND_MS
  const [, day, time = '00:00', second = '00', fraction = '', zone = 'Z'] = MOMENT.exec(text) ?? []
  const inZone = Date.parse(`${day}T${time}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  if (Number.isNaN(inZone) || !new Date(inZone).toISOString().startsWith(`${day}T${time}`)) return null
  if (/^Z$/i.test(zone)) return inZone
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))]
  if (hours > 23 || minutes > 59) return null
  return inZone - (zone.startsWith('-') ? -1 : 1) * (hours * HOUR_MS + minutes * MINUTE_MS)
}

/**
 * ISO 8601 with an offset, without a zone (then UTC) or a day only, or seconds since 1970. Converted to milliseconds.
 */
const Moment = Text.max(40)
  .transform((text, ctx): number => {
    // The pattern accepts a space before the offset, because an unescaped plus in a URL arrives as a space.
    const at = readMoment(text)
    if (at !== null) return at
    ctx.addIssue({ code: 'custom' })
    return z.NEVER
  })
  .meta({ description: 'ISO 8601, in UTC when it names no zone, or seconds since 1970.' })
export const ProductCandlesQuery = z.object({
  granularity: Whole.default(60).meta({ description: 'Seconds: 60, 300, 1800, 3600 or 86400.' }),
  start: Moment.optional(),
  end: Moment.optional(),
})

/**
 * Open time, open, high, low, close, volume, close time. The remaining fields are unknown and zero. The kline messages
 * of the stream have the same zeros.
 */
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

const day = { lastPrice: Text, openPrice: Text, highPrice: Text, lowPrice: Text, volume: Text, quoteVolume: Text }
const times = {
  openTime: z.number().int(),
  closeTime: z.number().int().meta({ description: 'Time of the newest price. For a closed market, that is long ago.' }),
  firstId: z.literal(-1),
  lastId: z
    .number()
    .int()
    .meta({ description: 'Sequence number of the last tick in the log; -1 when the price is older than the log.' }),
  count: z.literal(0),
}
/** The fields of the stream `@miniTicker`. */
export const MiniDayTicker = z.object({ symbol: Text, ...day, ...times })
/** The fields of the stream `@ticker`. Unknown fields are zero. */
export const FullDayTicker = MiniDayTicker.extend({
  priceChange: Text,
  priceChangePercent: Text,
  weightedAvgPrice: Text,
  prevClosePrice: Text.meta({ description: 'The price 24 hours ago.' }),
  lastQty: Text,
  bidPrice: Text,
  bidQty: Text,
  askPrice: Text,
  askQty: Text,
})
const DayTicker = z.union([FullDayTicker, MiniDayTicker])
const PriceTicker = z.object({ symbol: Text, price: Text })

/** A tick of the log. `isBuyerMaker` is left out, because the tick log does not record which side was the maker. */
export const ExchangeTrade = z.object({
  id: z.number().int().meta({ description: 'Sequence number of the tick in the log.' }),
  price: Text,
  qty: Text,
  quoteQty: Text,
  time: z.number().int().meta({ description: 'Source time.' }),
  isBestMatch: z.literal(true),
})
/** A tick of the log as an aggregate of one trade. `m` is left out. */
export const AggregateTrade = z.object({
  a: z.number().int(),
  p: Text,
  q: Text,
  f: z.number().int(),
  l: z.number().int(),
  T: z.number().int(),
  M: z.literal(true),
})
/** Time in seconds, low, high, open, close, volume. */
const ProductCandle = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])

export const exchangeRest = {
  ping: { path: '/v3/ping', summary: 'An empty reply.', reply: z.object({}) },
  time: { path: '/v3/time', summary: "The server's clock.", reply: z.object({ serverTime: z.number() }) },
  exchangeInfo: {
    path: '/v3/exchangeInfo',
    summary: 'All symbols, or only the requested ones.',
    query: ExchangeInfoQuery,
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
  dayTicker: {
    path: '/v3/ticker/24hr',
    summary: 'Prices over the last 24 hours, of one symbol or in a list.',
    query: DayTickerQuery,
    reply: z.union([DayTicker, z.array(DayTicker)]),
  },
  priceTicker: {
    path: '/v3/ticker/price',
    summary: 'The newest price, of one symbol or in a list.',
    query: SymbolsQuery,
    reply: z.union([PriceTicker, z.array(PriceTicker)]),
  },
  trades: {
    path: '/v3/trades',
    summary: 'The ticks of the last minutes before the newest one, ascending.',
    query: TradesQuery,
    reply: z.array(ExchangeTrade),
  },
  aggregateTrades: {
    path: '/v3/aggTrades',
    summary: 'The same ticks as groups of one, optionally from a time or a place in the log on.',
    query: AggregateTradesQuery,
    reply: z.array(AggregateTrade),
  },
  clock: {
    path: '/time',
    summary: "The server's clock, in the form of Coinbase.",
    reply: z.object({ iso: Text, epoch: z.number() }),
  },
  products: {
    path: '/products',
    summary: 'All symbols, with their names on the ticker channel.',
    reply: z.array(ExchangeProduct),
  },
  product: {
    path: '/products/:id',
    summary: 'One symbol, with its name on the ticker channel.',
    params: ProductParams,
    reply: ExchangeProduct,
  },
  productTicker: {
    path: '/products/:id/ticker',
    summary: 'The newest price. There is no order book: `bid` and `ask` are left out.',
    params: ProductParams,
    reply: z.object({ trade_id: z.number().int(), price: Text, size: Text, time: Text, volume: Text }),
  },
  productStats: {
    path: '/products/:id/stats',
    summary: 'Prices over the last 24 hours.',
    params: ProductParams,
    reply: z.object({ open: Text, high: Text, low: Text, last: Text, volume: Text }),
  },
  productCandles: {
    path: '/products/:id/candles',
    summary: 'At most 300 candles, the newest first.',
    params: ProductParams,
    query: ProductCandlesQuery,
    reply: z.array(ProductCandle),
  },
  currencies: {
    path: '/currencies',
    summary: 'The currencies of the symbols.',
    reply: z.array(z.object({ id: Text, name: Text, status: z.literal('online') })),
  },
} as const satisfies Record<string, ExchangeQuestion>
