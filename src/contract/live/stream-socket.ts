import { z } from 'zod'
import { KlineMessage } from '#contract/live/candle-socket.ts'

/** 200: the maximum number of streams that one socket can subscribe to. */
export const MAX_STREAMS = 200

export const STREAM_METHODS = [
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'LIST_SUBSCRIPTIONS',
  'SET_PROPERTY',
  'GET_PROPERTY',
] as const

/** Messages of clients on `/ws`, `/ws/<streams>` and `/stream`, in the exchanges' format for choosing streams. */
export const StreamSocketIn = z.object({
  method: z.enum(STREAM_METHODS),
  params: z
    .array(z.union([z.string().max(60), z.boolean()]))
    .max(MAX_STREAMS)
    .optional()
    .meta({ description: 'Streams such as `btcusdt@kline_1m`, or a property and its value.' }),
  // Some clients use nanoseconds as id, which exceed the safe integers.
  id: z.union([z.number().nonnegative().multipleOf(1), z.string().max(36), z.null()]).optional(),
})
export type StreamSocketIn = z.output<typeof StreamSocketIn>

const Id = z.union([z.number(), z.string(), z.null()])
export const StreamAnswer = z.object({ result: z.union([z.null(), z.boolean(), z.array(z.string())]), id: Id })
export const StreamError = z.object({ error: z.object({ code: z.number().int(), msg: z.string() }), id: Id.optional() })

const head = {
  E: z.number().meta({ description: 'When the newest price was received. For a closed market, that is long ago.' }),
  s: z.string(),
}
const day = { c: z.string(), o: z.string(), h: z.string(), l: z.string(), v: z.string(), q: z.string() }

/** `<product>@miniTicker`: the last 24 hours. `q` is unknown and zero. */
export const MiniTickerMessage = z.object({ e: z.literal('24hrMiniTicker'), ...head, ...day })
export type MiniTickerMessage = z.output<typeof MiniTickerMessage>

/**
 * `<product>@ticker`: all fields of the last 24 hours. There is no order book and no count of trades: `b B a A w q` are
 * zero, `n` is 0, `F` is -1.
 */
export const DayTickerMessage = z.object({
  e: z.literal('24hrTicker'),
  ...head,
  p: z.string().meta({ description: 'Change of the price.' }),
  P: z.string().meta({ description: 'Change of the price in percent, three decimals.' }),
  w: z.string(),
  x: z.string().meta({ description: 'The price 24 hours ago.' }),
  Q: z.string().meta({ description: 'Volume of the last tick.' }),
  b: z.string(),
  B: z.string(),
  a: z.string(),
  A: z.string(),
  ...day,
  O: z.number(),
  C: z.number().meta({ description: 'The time of the newest price.' }),
  F: z.literal(-1),
  L: z
    .number()
    .meta({ description: 'Sequence number of the last tick in the log; -1 when the price is older than the log.' }),
  n: z.literal(0),
})
export type DayTickerMessage = z.output<typeof DayTickerMessage>

/** `<product>@trade`: every tick. `m` is left out, because the tick log does not record which side was the maker. */
export const TradeMessage = z.object({
  e: z.literal('trade'),
  ...head,
  t: z.number().meta({ description: 'Sequence number of the tick in the log.' }),
  p: z.string(),
  q: z.string(),
  T: z.number().meta({ description: 'Source time.' }),
  M: z.literal(true),
})
export type TradeMessage = z.output<typeof TradeMessage>

const StreamMessage = z.union([KlineMessage, MiniTickerMessage, DayTickerMessage, TradeMessage])
export const StreamSocketOut = z.union([
  StreamMessage,
  z.object({ stream: z.string(), data: StreamMessage }),
  StreamAnswer,
  StreamError,
])
