import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import { decimalText, isObject, readJson, Unreadable } from '#server/market-data/feeds/providers/exact-json.ts'
import {
  fit,
  ISO_TIME,
  readIsoTime,
  readPriceText,
  readSymbol,
  SYMBOL,
} from '#server/market-data/feeds/providers/message-parts.ts'

/** A parsed message of Coinbase Exchange. */
export type ExchangeMessage =
  | { readonly kind: 'trade'; readonly trade: CoinbaseTrade }
  /** `lastTradeId` is null when the heartbeat names no trade. */
  | { readonly kind: 'heartbeat'; readonly symbol: string; readonly lastTradeId: number | null; readonly time: Instant }
  /** All current subscriptions of the connection, by channel. */
  | { readonly kind: 'subscribed'; readonly channels: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: 'refused'; readonly symbol: string | null; readonly why: string }
  | { readonly kind: 'ignored' }

export interface CoinbaseTrade {
  readonly symbol: string
  /** Rises by one with each trade of a product. */
  readonly id: number
  readonly price: string
  readonly volume: string
  readonly time: Instant
}

const HEARTBEAT = z.object({ product_id: SYMBOL, last_trade_id: z.int().nonnegative().nullish(), time: ISO_TIME })

const SUBSCRIPTIONS = z.object({
  channels: z.array(z.object({ name: z.string(), product_ids: z.array(z.string()).nullish() })),
})

const ERROR = z.object({ message: z.string().max(300), reason: z.string().max(300).optional() })

const NAMED = /^(\S+) is (?:not a valid product|delisted)/

/** Channels that are not subscribed: the order book, and `ticker`, which joins the trades of one order. */
const OTHER_TYPES = new Set([
  'activate',
  'change',
  'done',
  'l2update',
  'level2',
  'open',
  'received',
  'rfq_match',
  'snapshot',
  'status',
  'ticker',
])

/**
 * Parses one message; throws `Unreadable`. Only matches make prices. The `last_match` of a subscription is the newest
 * match before the subscription.
 */
export function readExchangeMessage(text: string): ExchangeMessage {
  const message = readJson(text)
  if (!isObject(message)) throw new Unreadable('not a message')
  switch (message['type']) {
    case 'match':
    case 'last_match':
      return readMatch(message)
    case 'heartbeat': {
      const { product_id: symbol, last_trade_id: named, time } = fit(HEARTBEAT, message, 'heartbeat')
      return { kind: 'heartbeat', symbol, lastTradeId: named === 0 ? null : (named ?? null), time }
    }
    case 'subscriptions': {
      const { channels } = fit(SUBSCRIPTIONS, message, 'subscriptions')
      return { kind: 'subscribed', channels: new Map(channels.map((each) => [each.name, each.product_ids ?? []])) }
    }
    case 'error': {
      const { message: what, reason } = fit(ERROR, message, 'error')
      const symbol = NAMED.exec(reason ?? '')?.[1] ?? null
      return { kind: 'refused', symbol, why: reason === undefined ? what : `${what}: ${reason}` }
    }
    default:
      if (OTHER_TYPES.has(String(message['type']))) return { kind: 'ignored' }
      throw new Unreadable('a message of an unknown type', { symbol: readSymbol(message['product_id']) })
  }
}

function readMatch(match: Readonly<Record<string, unknown>>): ExchangeMessage {
  const { product_id, trade_id, price: rawPrice, size, time: at } = match
  const symbol = readSymbol(product_id)
  const id = typeof trade_id === 'number' && Number.isSafeInteger(trade_id) && trade_id > 0 ? trade_id : null
  const price = readPriceText(rawPrice)
  const volume = decimalText(size)
  const time = readIsoTime(at)
  if (symbol === null || id === null || price === null || volume === null || time === null) {
    const trade = { symbol, time, id: id === null ? null : BigInt(id) }
    throw new Unreadable(`a match of ${symbol} with invalid fields`, trade)
  }
  return { kind: 'trade', trade: { symbol, id, price, volume, time } }
}
