import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import type { CoinbaseTrade } from '#server/market-data/feeds/providers/coinbase/exchange-messages.ts'
import {
  decimalText,
  isObject,
  readJson,
  Unreadable,
  type UnreadTrade,
} from '#server/market-data/feeds/providers/exact-json.ts'
import { fit, readIsoTime, readPriceText, readSymbol } from '#server/market-data/feeds/providers/message-parts.ts'

/** A message of Coinbase Advanced Trade. All but errors are numbered across all channels of the connection. */
export type AdvancedMessage =
  | {
      readonly kind: 'counted'
      readonly sequence: number
      /** Parses the content; throws `Unreadable`. The message number counts even if the content is invalid. */
      readonly content: () => AdvancedContent
    }
  | { readonly kind: 'refused'; readonly why: string }

export type AdvancedContent =
  /** Trades in the order in which they happened. */
  | { readonly kind: 'trades'; readonly trades: readonly (CoinbaseTrade | UnreadPart)[] }
  /** Last prices without trade times: only the message has a time. */
  | { readonly kind: 'prices'; readonly time: Instant; readonly prices: readonly (LastPrice | UnreadPart)[] }
  | { readonly kind: 'heartbeat'; readonly time: Instant }
  /** All current subscriptions of the connection, by channel. */
  | { readonly kind: 'subscribed'; readonly channels: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: 'ignored' }

export interface LastPrice {
  readonly symbol: string
  readonly price: string
}

/** One unreadable trade among several of a message. */
export interface UnreadPart {
  readonly unread: UnreadTrade
}

const ERROR = z.object({ message: z.string().max(300) })

const SUBSCRIPTIONS = z.array(z.object({ subscriptions: z.record(z.string(), z.array(z.string())) }))

/** Channels that are not subscribed. */
const OTHER_CHANNELS = new Set<unknown>([
  'candles',
  'futures_balance_summary',
  'l2_data',
  'level2',
  'status',
  'ticker_batch',
  'user',
])

type Fields = Readonly<Record<string, unknown>>

/** Parses one message; throws `Unreadable`. */
export function readAdvancedMessage(text: string): AdvancedMessage {
  const message = readJson(text)
  if (isObject(message) && message['type'] === 'error') {
    return { kind: 'refused', why: fit(ERROR, message, 'error').message }
  }
  const sequence = isObject(message) ? message['sequence_num'] : null
  if (!isObject(message) || typeof sequence !== 'number' || !Number.isSafeInteger(sequence) || sequence < 0)
    throw new Unreadable('message.sequence_num: not a number of a message')
  return { kind: 'counted', sequence, content: () => readContent(message) }
}

function readContent({ channel, timestamp, events }: Fields): AdvancedContent {
  switch (channel) {
    case 'market_trades':
      return { kind: 'trades', trades: listOf(events, channel).flatMap(tradesOf) }
    case 'ticker':
      return { kind: 'prices', time: timeOf(timestamp, channel), prices: listOf(events, channel).flatMap(pricesOf) }
    case 'heartbeats':
      return { kind: 'heartbeat', time: timeOf(timestamp, channel, null) }
    case 'subscriptions':
      return {
        kind: 'subscribed',
        channels: new Map(Object.entries(fit(SUBSCRIPTIONS, events, channel).at(-1)?.subscriptions ?? {})),
      }
    default:
      if (OTHER_CHANNELS.has(channel)) return { kind: 'ignored' }
      throw new Unreadable('a message of an unknown channel')
  }
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new Unreadable(`${what}: not a list with entries`)
}

function timeOf(timestamp: unknown, what: string, trade?: UnreadTrade | null): Instant {
  const time = readIsoTime(timestamp)
  if (time === null) throw new Unreadable(`${what}.timestamp: not a time`, trade)
  return time
}

const UNREAD: UnreadPart = { unread: { symbol: null } }

/** Messages list the newest trade first. */
function tradesOf(event: unknown): (CoinbaseTrade | UnreadPart)[] {
  const { type, trades } = isObject(event) ? event : {}
  // The snapshot of a product that was never traded is empty. Any other empty message is invalid.
  if (!Array.isArray(trades) || (trades.length === 0 && type !== 'snapshot')) return [UNREAD]
  return trades.map(tradeOf).toReversed()
}

function tradeOf(fields: unknown): CoinbaseTrade | UnreadPart {
  if (!isObject(fields)) return UNREAD
  const { product_id, trade_id, price: rawPrice, size, time: at } = fields
  const symbol = readSymbol(product_id)
  const id = typeof trade_id === 'string' && /^[1-9]\d{0,14}$/.test(trade_id) ? Number(trade_id) : null
  const price = readPriceText(rawPrice)
  const volume = decimalText(size)
  const time = readIsoTime(at)
  if (symbol === null || id === null || price === null || volume === null || time === null)
    return { unread: { symbol, time, id: id === null ? null : BigInt(id) } }
  return { symbol, id, price, volume, time }
}

/** Leaves out the first ticker: its price may have any age and lie outside best bid and ask. */
function pricesOf(event: unknown): (LastPrice | UnreadPart)[] {
  const { type, tickers } = isObject(event) ? event : {}
  if (type === 'snapshot') return []
  if (!Array.isArray(tickers) || tickers.length === 0) return [UNREAD]
  return tickers.map((fields: unknown) => {
    const { product_id, price: rawPrice } = isObject(fields) ? fields : {}
    const symbol = readSymbol(product_id)
    const price = readPriceText(rawPrice)
    return symbol === null || price === null || type !== 'update' ? { unread: { symbol } } : { symbol, price }
  })
}
