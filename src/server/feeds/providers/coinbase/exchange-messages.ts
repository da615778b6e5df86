import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import { isObject, readJson } from '#server/feeds/providers/exact-json.ts'
import { fit, ISO_TIME, PRICE, SYMBOL, VOLUME } from '#server/feeds/providers/message-parts.ts'

/** What a message of Coinbase Exchange says to us. */
export type ExchangeMessage =
  | { readonly kind: 'trade'; readonly trade: CoinbaseTrade }
  | { readonly kind: 'heartbeat'; readonly symbol: string; readonly lastTradeId: number; readonly time: Instant }
  /** All that the connection is subscribed to by now, by channel. */
  | { readonly kind: 'subscribed'; readonly channels: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: 'refused'; readonly symbol: string | null; readonly why: string }
  | { readonly kind: 'ignored' }

export interface CoinbaseTrade {
  readonly symbol: string
  /** Rises with each trade of a product. */
  readonly id: number
  readonly price: string
  readonly volume: string
  readonly time: Instant
}

const ENVELOPE = z.object({ type: z.string() })

const TICKER = z.object({
  product_id: SYMBOL,
  trade_id: z.int().nonnegative(),
  price: PRICE,
  last_size: VOLUME,
  time: ISO_TIME,
})

const HEARTBEAT = z.object({ product_id: SYMBOL, last_trade_id: z.int().nonnegative(), time: ISO_TIME })

const SUBSCRIPTIONS = z.object({
  channels: z.array(z.object({ name: z.string(), product_ids: z.array(z.string()).nullish() })),
})

const ERROR = z.object({ message: z.string().max(300), reason: z.string().max(300).optional() })

const NAMED = /^(\S+) is (?:not a valid product|delisted)/

/**
 * Reads one message; throws `Unreadable`. Of its channels we follow `ticker`, whose `side` we do not need: it means the
 * opposite of what it means in `match`, which is ignored like the order book and all that we did not ask for.
 */
export function readExchangeMessage(text: string): ExchangeMessage {
  const message = readJson(text)
  const { type } = fit(ENVELOPE, message, 'message')
  switch (type) {
    case 'ticker':
      return readTicker(message)
    case 'heartbeat': {
      const { product_id: symbol, last_trade_id: lastTradeId, time } = fit(HEARTBEAT, message, type)
      return { kind: 'heartbeat', symbol, lastTradeId, time }
    }
    case 'subscriptions': {
      const { channels } = fit(SUBSCRIPTIONS, message, type)
      return { kind: 'subscribed', channels: new Map(channels.map((each) => [each.name, each.product_ids ?? []])) }
    }
    case 'error': {
      const { message: what, reason } = fit(ERROR, message, type)
      const symbol = NAMED.exec(reason ?? '')?.[1] ?? null
      return { kind: 'refused', symbol, why: reason === undefined ? what : `${what}: ${reason}` }
    }
    default:
      return { kind: 'ignored' }
  }
}

function readTicker(message: unknown): ExchangeMessage {
  // A product that has never been traded has a ticker all the same.
  if (isObject(message) && !('trade_id' in message || 'time' in message)) return { kind: 'ignored' }
  const { product_id: symbol, trade_id: id, price, last_size: volume, time } = fit(TICKER, message, 'ticker')
  return { kind: 'trade', trade: { symbol, id, price, volume, time } }
}
