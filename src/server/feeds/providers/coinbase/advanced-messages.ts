import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import type { CoinbaseTrade } from '#server/feeds/providers/coinbase/exchange-messages.ts'
import { isObject, readJson } from '#server/feeds/providers/exact-json.ts'
import { fit, ISO_TIME, PRICE, SYMBOL, VOLUME } from '#server/feeds/providers/message-parts.ts'

/** A message of Coinbase Advanced Trade. All but errors are counted over all channels of the connection. */
export type AdvancedMessage =
  | {
      readonly kind: 'counted'
      readonly sequence: number
      readonly time: Instant
      /** Reads what is in it; throws `Unreadable`. Also a message that says nothing sensible counts. */
      readonly content: () => AdvancedContent
    }
  | { readonly kind: 'refused'; readonly why: string }

export type AdvancedContent =
  /** In the order in which they happened. */
  | { readonly kind: 'trades'; readonly trades: readonly CoinbaseTrade[] }
  /** Last prices, without the times at which they came about. */
  | { readonly kind: 'prices'; readonly prices: readonly { readonly symbol: string; readonly price: string }[] }
  | { readonly kind: 'heartbeat' }
  /** All that the connection is subscribed to by now, by channel. */
  | { readonly kind: 'subscribed'; readonly channels: ReadonlyMap<string, readonly string[]> }
  | { readonly kind: 'ignored' }

const ENVELOPE = z.object({
  channel: z.string(),
  timestamp: ISO_TIME,
  sequence_num: z.int().nonnegative(),
  events: z.array(z.unknown()),
})

const ERROR = z.object({ message: z.string().max(300) })

const TRADE = z.object({
  product_id: SYMBOL,
  trade_id: z.string().regex(/^\d{1,15}$/),
  price: PRICE,
  size: VOLUME,
  time: ISO_TIME,
})

const TRADES = z.array(z.object({ trades: z.array(TRADE) }))

const TICKERS = z.array(
  z.object({ type: z.string(), tickers: z.array(z.object({ product_id: SYMBOL, price: PRICE })) }),
)

const SUBSCRIPTIONS = z.array(z.object({ subscriptions: z.record(z.string(), z.array(z.string())) }))

/** Reads one message; throws `Unreadable`. */
export function readAdvancedMessage(text: string): AdvancedMessage {
  const message = readJson(text)
  if (isObject(message) && message['type'] === 'error') {
    return { kind: 'refused', why: fit(ERROR, message, 'error').message }
  }
  const { channel, timestamp: time, sequence_num: sequence, events } = fit(ENVELOPE, message, 'message')
  return { kind: 'counted', sequence, time, content: () => readContent(channel, events) }
}

function readContent(channel: string, events: readonly unknown[]): AdvancedContent {
  switch (channel) {
    case 'market_trades':
      return { kind: 'trades', trades: fit(TRADES, events, channel).flatMap(oldestFirst) }
    case 'ticker':
      return { kind: 'prices', prices: fit(TICKERS, events, channel).flatMap(pricesOf) }
    case 'heartbeats':
      return { kind: 'heartbeat' }
    case 'subscriptions':
      return {
        kind: 'subscribed',
        channels: new Map(Object.entries(fit(SUBSCRIPTIONS, events, channel).at(-1)?.subscriptions ?? {})),
      }
    default:
      return { kind: 'ignored' }
  }
}

/** As sent, the newest trade comes first. */
function oldestFirst({ trades }: z.output<typeof TRADES>[number]): CoinbaseTrade[] {
  return trades.toReversed().map(({ product_id: symbol, trade_id, price, size: volume, time }) => ({
    symbol,
    id: Number(trade_id),
    price,
    volume,
    time,
  }))
}

/** What a ticker begins with is left out: a price of any age, which may lie outside best bid and ask. */
function pricesOf({ type, tickers }: z.output<typeof TICKERS>[number]) {
  return type === 'snapshot' ? [] : tickers.map(({ product_id: symbol, price }) => ({ symbol, price }))
}
