import { z } from 'zod'
import { MARKET_TYPES } from '#core/markets/market.ts'
import { defineCall } from '#contract/call.ts'
import { AccountIn, AccountQuery } from '#contract/practice.ts'
import { DirectionOut, IsoTime, MoneyOut, PriceOut, ResultOut, Text } from '#contract/wire.ts'

/** A user's own order, open or settled, with the specification's field names. */
export const OwnTrade = z.object({
  id: z.string(),
  trx: z.string(),
  clientOrderId: z.string().meta({ description: 'Id set by the client; empty when it set none.' }),
  symbol: z.string(),
  decimals: z.number().int(),
  market_type: z.enum(MARKET_TYPES),
  high_low: DirectionOut,
  amount: MoneyOut,
  profit_percentage: z.number(),
  trade_setting: z.object({ time: z.number().int(), unit: z.enum(['minute', 'hour', 'day']) }),
  opened_at: IsoTime,
  expires_at: IsoTime,
  price_was: PriceOut,
  entry: z.object({ q: z.number().int(), time_ms: z.number().int() }),
  post_trade_price: PriceOut.nullable(),
  result: ResultOut,
  result_amount: MoneyOut.nullable().meta({ description: 'Net change: + profit, − stake, 0 on a draw or void.' }),
  void_reason: z.string().nullable(),
  rule_version: z.number().int(),
  awaiting_record: z.string().nullable().meta({
    description: 'The source whose public record decides the order, while it is open after its expiry. Null otherwise.',
  }),
})
export type OwnTrade = z.output<typeof OwnTrade>

export const recentTrades = defineCall({
  method: 'GET',
  path: '/user/trade-log/recent',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: 'All open orders of the caller and the 50 orders that settled last, latest opening first.',
  query: AccountQuery,
  reply: z.object({ trades: z.array(OwnTrade) }),
  refusals: ['practice_none'],
})

export const TickOut = z.object({
  q: z.number().int().meta({ description: 'Sequence number in the tick log.' }),
  price: PriceOut,
  time_ms: z.number().int(),
  source: z.string(),
})
export type TickOut = z.output<typeof TickOut>

export const ownTrade = defineCall({
  method: 'GET',
  path: '/user/trade/:id',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: 'An own order with the ticks that decide it. Unknown parts are null.',
  params: z.object({ id: Text(60) }),
  query: AccountQuery,
  reply: z.object({
    trade: OwnTrade,
    ticks: z.object({
      entry: TickOut,
      exit: TickOut.nullable(),
      next: TickOut.nullable(),
      around: z.array(TickOut),
    }),
  }),
  refusals: ['practice_none', 'not_found'],
})

/** 10 minutes: the longest period of one reply with ticks. */
export const TICKS_SPAN_MS = 600_000

export const tradeTicks = defineCall({
  method: 'GET',
  path: '/user/trade/:id/ticks',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary:
    'Ticks around an own order, for drawing: at most ten minutes, from shortly before the order to shortly after its expiry.',
  params: z.object({ id: Text(60) }),
  query: AccountQuery.extend({
    from: z.coerce
      .number()
      .int()
      .nonnegative()
      .max(8_640_000_000_000_000)
      .optional()
      .meta({ description: 'Milliseconds UTC. Default: the first moment that the chart shows.' }),
  }),
  reply: z.object({
    from_ms: z.number().int(),
    through_ms: z.number().int().meta({
      description: 'No further ticks will be added between `from_ms` and this time. The next request starts here.',
    }),
    ticks: z.array(z.object({ time_ms: z.number().int(), price: PriceOut })).meta({
      description:
        'In the order of the log. When there are many, only the first, lowest, highest and last of each interval.',
    }),
  }),
  refusals: ['practice_none', 'not_found', 'rate_limited'],
})

export const tradeResult = defineCall({
  method: 'POST',
  path: '/user/trade/result',
  who: 'verified',
  key: 'read',
  leaving: true,
  summary: 'The stored result of an own order, at an older path. A price in the request is ignored.',
  body: z.object({ game_log_id: Text(60), price: z.unknown().optional(), account: AccountIn }),
  reply: z.object({ trade: OwnTrade }),
  refusals: ['practice_none', 'not_found'],
})
