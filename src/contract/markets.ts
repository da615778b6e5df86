import { z } from 'zod'
import { CHART_INTERVALS } from '#core/time/chart-interval.ts'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { defineCall } from '#contract/call.ts'
import { DirectionOut, IdIn, MoneyOut, PriceOut, Text } from '#contract/wire.ts'

export const MarketStatus = z.object({ crypto: z.boolean(), us_stocks: z.boolean(), us_fx: z.boolean() })
export type MarketStatus = z.output<typeof MarketStatus>

/** A stock split: `new_shares` replace `old_shares`. */
export const SplitOut = z.object({
  new_shares: z.number().int(),
  old_shares: z.number().int(),
  applies_at: z.number().meta({ description: 'Opening of the first session on the new basis, milliseconds UTC.' }),
})
export type SplitOut = z.output<typeof SplitOut>

export const SymbolItem = z.object({
  id: z.number().int(),
  name: z.string(),
  symbol: z.string(),
  product_id: z.string(),
  market_type: z.enum(MARKET_TYPES),
  decimals: z.number().int().meta({ description: 'Decimals of its prices; one unit of the last is its tick size.' }),
  isFavorite: z.boolean(),
  is_featured: z.boolean(),
  image: z.string(),
  color: z.string(),
  price: PriceOut.nullable(),
  change: z.number().nullable().meta({ description: 'Percent against the price 24 hours ago.' }),
  open: PriceOut.nullable().meta({ description: 'Price 24 hours ago.' }),
  open_hkt: PriceOut.nullable().meta({ description: 'Price at the last midnight in Hong Kong.' }),
  open_utc: PriceOut.nullable().meta({ description: 'Price at the last midnight UTC.' }),
  high: PriceOut.nullable(),
  low: PriceOut.nullable(),
  volume: z.number().nullable().meta({ description: 'Traded in the last 24 hours, in units of the symbol.' }),
  lastTickTime: z.number().nullable().meta({
    description: 'Time of the price, milliseconds UTC. For a price from provider history: the opening of its bar.',
  }),
  spark: z.array(PriceOut.nullable()).meta({
    description: 'Thirty closing prices at regular times over the last 24 hours; null without a price.',
  }),
  is_open: z.boolean(),
  max_tick_age_ms: z.number().int().meta({ description: 'Orders are refused while its newest price is older.' }),
  closed_reason: z.string().nullable(),
  has_record: z.boolean().meta({
    description:
      'Whether the source now in use keeps a public record. Without one, a gap in its prices makes an order void.',
  }),
  splits: z.array(SplitOut).meta({
    description:
      'Past and announced splits of the stock. All other figures are on the basis of `price`; candles are unadjusted.',
  }),
})
export type SymbolItem = z.output<typeof SymbolItem>

const TermsChangeOut = z.object({
  what: z.enum(['duration', 'payout', 'min_stake', 'max_stake']),
  value: z.string().meta({ description: 'Hundredths of a percent, cents, or `open` and `withdrawn`.' }),
  applies_at: z.number().meta({ description: 'Milliseconds UTC.' }),
})

export const TradeSettingOut = z.object({
  id: z.number().int(),
  time: z.number().int().meta({ description: 'Seconds.' }),
  unit: z.enum(['minute', 'hour', 'day']),
  min_amount: MoneyOut,
  max_amount: MoneyOut,
  profit_percentage: z.number(),
  changes: z
    .array(TermsChangeOut)
    .meta({ description: 'All announced changes, for new orders of all users, soonest first.' }),
})
export type TradeSettingOut = z.output<typeof TradeSettingOut>

export const MarketList = z.object({
  trade_settings: z.array(TradeSettingOut),
  prices: z.array(z.object({ amount: MoneyOut })),
  trading_profit: z.number().meta({ description: 'Highest payout on offer, percent.' }),
  currencies: z.array(SymbolItem),
  market_status: MarketStatus,
  market_hours: z.record(
    z.enum(MARKET_TYPES),
    z.object({
      opens_at: z
        .number()
        .nullable()
        .meta({ description: 'Next opening, milliseconds UTC, while closed. Null when unknown or closed manually.' }),
      closes_at: z.number().nullable().meta({ description: 'End of the current session. Null when it never ends.' }),
      reason: z.string().nullable(),
    }),
  ),
  trade_status: z.union([z.literal(0), z.literal(1)]),
  trade_reason: z.string(),
  image_path: z.string(),
})
export type MarketList = z.output<typeof MarketList>

export const currencyList = defineCall({
  method: 'GET',
  path: '/user/crypto-currency/list',
  who: 'anyone',
  key: 'read',
  summary: 'All listed symbols with prices, the trade settings and the market status.',
  reply: MarketList,
  refusals: [],
})

export const favoriteList = defineCall({
  method: 'GET',
  path: '/user/crypto-currency/list/favorites',
  who: 'user',
  key: 'read',
  summary: "The caller's favourites, in the same form as all symbols.",
  reply: MarketList,
  refusals: [],
})

export const favorite = defineCall({
  method: 'POST',
  path: '/user/crypto-currency/favorite',
  who: 'user',
  key: 'never',
  summary: 'Adds a symbol to the favourites, or removes it.',
  body: z.object({ crypto_currency_id: IdIn }),
  reply: z.object({ crypto_currency_id: z.number(), isFavorite: z.boolean() }),
  refusals: ['symbol_unknown'],
})

/** `[open time ms, open, high, low, close, volume]`. */
export const KlineRow = z.tuple([z.number(), PriceOut, PriceOut, PriceOut, PriceOut, z.number()])
export type KlineRow = z.output<typeof KlineRow>

/**
 * The origin of historical candles. Candles outside the ranges in `provider` were built from prices in our tick log.
 */
export const CandleMeta = z.object({
  provider: z.array(z.tuple([z.number(), z.number(), z.string()])).meta({
    description: '`[from ms, until ms, source]`: candles from a provider, for a time without own prices.',
  }),
  partial: z.array(z.number()).meta({ description: 'Openings of candles with missed prices.' }),
  incomplete: z
    .boolean()
    .optional()
    .meta({ description: 'True: a source did not reply, so older candles or some between may be missing. Ask again.' }),
})
export type CandleMeta = z.output<typeof CandleMeta>

export const klineHistorical = defineCall({
  method: 'POST',
  path: '/user/kline-historical',
  who: 'anyone',
  key: 'read',
  summary: 'Candles, ascending; the last one is still open unless `endTime` lies in the past.',
  body: z.object({
    symbol: Text(20),
    interval: z.enum(CHART_INTERVALS),
    limit: z
      .number()
      .int()
      .positive()
      .transform((count) => Math.min(count, 1000))
      .optional(),
    endTime: z.number().int().positive().max(8_640_000_000_000_000).optional(),
  }),
  reply: z.array(KlineRow),
  meta: CandleMeta,
  refusals: ['symbol_unknown'],
})

export const candlePage = defineCall({
  method: 'GET',
  path: '/candles/:product/:interval/:page',
  who: 'anyone',
  key: 'read',
  summary:
    'A page of closed candles: page n has the 500 bars from n × 500 × interval after 1970. Cache it by its ETag, which changes only when a hole in the page is filled.',
  params: z.object({
    product: Text(20),
    interval: z.enum(CHART_INTERVALS),
    page: z
      .string()
      .regex(/^(?:0|[1-9]\d{0,8})$/)
      .transform(Number),
  }),
  reply: z.array(KlineRow),
  meta: CandleMeta,
  refusals: ['symbol_unknown', 'not_found'],
})

export const PublicTrade = z.object({
  id: z.string(),
  user: z.string().meta({ description: 'Masked name.' }),
  is_bot: z.boolean(),
  price: PriceOut,
  time: z.number().int().meta({ description: 'Duration of the order in seconds.' }),
  unit: z.enum(['minute', 'hour', 'day']),
  direction: DirectionOut,
  opened_at: z.string(),
})
export type PublicTrade = z.output<typeof PublicTrade>

export const latestTrades = defineCall({
  method: 'POST',
  path: '/user/latest_trades',
  who: 'anyone',
  key: 'read',
  summary: 'The newest orders of all users on one symbol, with masked names. `price` is accepted and ignored.',
  body: z.object({
    currency: z.union([z.string().min(1).max(20), z.number().int()]),
    price: z.union([z.number(), z.string().max(40)]).nullish(),
    count: z
      .number()
      .int()
      .positive()
      .transform((count) => Math.min(count, 50))
      .optional(),
  }),
  reply: z.object({
    trades: z.array(PublicTrade),
    older_id: z.string().nullable().meta({
      description: 'Id of the order before the oldest listed one. A client that does not know it has missed orders.',
    }),
  }),
  refusals: ['symbol_unknown'],
})
