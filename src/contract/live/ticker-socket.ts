import { z } from 'zod'

const Products = z.array(z.string().min(1).max(20)).max(500)
const Channel = z.union([z.string().max(40), z.object({ name: z.string().max(40), product_ids: Products.optional() })])

/** Messages of clients on `/ws/ticker`. Products are `BTC-USD`, `AAPL-USD`, `EUR-USD`. */
export const TickerSocketIn = z.object({
  type: z.enum(['subscribe', 'unsubscribe']),
  product_ids: Products.optional(),
  channels: z.array(Channel).max(20).optional().meta({ description: '`ticker` (default) and `heartbeat`.' }),
})
export type TickerSocketIn = z.output<typeof TickerSocketIn>

export const Subscriptions = z.object({
  type: z.literal('subscriptions'),
  channels: z.array(z.object({ name: z.string(), product_ids: z.array(z.string()) })),
})

/**
 * Prices and volumes are decimal text. `sequence` and `trade_id` are the tick's sequence number in the log, so they
 * ascend per product. There is no order book and the taker is unknown, so `best_bid`, `best_ask`, `side` and
 * `volume_30d` are left out.
 */
export const TickerMessage = z.object({
  type: z.literal('ticker'),
  sequence: z.number().int(),
  product_id: z.string(),
  price: z.string(),
  open_24h: z.string(),
  volume_24h: z.string(),
  low_24h: z.string(),
  high_24h: z.string(),
  time: z.string().meta({ format: 'date-time', description: 'Of the source, with six decimals.' }),
  trade_id: z.number().int(),
  last_size: z.string(),
})

export const TickerHeartbeat = z.object({
  type: z.literal('heartbeat'),
  sequence: z.number().int(),
  last_trade_id: z.number().int(),
  product_id: z.string(),
  time: z.string().meta({ format: 'date-time' }),
})

export const TickerError = z.object({ type: z.literal('error'), message: z.string(), reason: z.string() })

export const TickerSocketOut = z.union([Subscriptions, TickerMessage, TickerHeartbeat, TickerError])
export type TickerSocketOut = z.output<typeof TickerSocketOut>
export type TickerMessage = z.output<typeof TickerMessage>
