import { z } from 'zod'
import { tradeUse, type TradeUse } from '#core/markets/sources/trade-conditions.ts'
import type { Instant } from '#core/time/instant.ts'
import {
  aboveZero,
  decimalNumber,
  isObject,
  readJson,
  Unreadable,
  type UnreadTrade,
} from '#server/market-data/feeds/providers/exact-json.ts'
import { fit, readSymbol } from '#server/market-data/feeds/providers/message-parts.ts'
import { readMs } from '#server/market-data/feeds/providers/provider-time.ts'

/** A parsed message of Finnhub. */
export type FinnhubMessage =
  /** Ascending in time. Trades of one millisecond keep the order in which they were sent. */
  | { readonly kind: 'trades'; readonly trades: readonly (FinnhubTrade | FinnhubUnread)[] }
  | { readonly kind: 'refused'; readonly symbol: string | null; readonly why: string }
  /** A message that is not needed: a ping, or news. */
  | { readonly kind: 'ignored' }

export interface FinnhubTrade {
  readonly symbol: string
  readonly price: string
  readonly volume: string
  readonly time: Instant
  /** The meaning of the trade's price by its condition codes; `unknown` when one of the codes is unknown. */
  readonly use: TradeUse | 'unknown'
}

/** One unreadable trade among several of a message. */
export interface FinnhubUnread {
  readonly unread: UnreadTrade
}

const OTHER_TYPES = new Set<unknown>(['ping', 'news', 'pressRelease'])

const ERROR = z.object({ msg: z.string().max(300) })

const NAMED = /^Invalid symbol (\S.*)$/i

/** Parses one message; throws `Unreadable`. */
export function readFinnhubMessage(text: string): FinnhubMessage {
  const message = readJson(text)
  if (!isObject(message)) throw new Unreadable('not a message')
  const { type, data } = message
  if (type === 'trade' && Array.isArray(data) && data.length > 0)
    return { kind: 'trades', trades: ascending(data.map(tradeOf)) }
  if (type === 'error') {
    const { msg: why } = fit(ERROR, message, type)
    return { kind: 'refused', symbol: NAMED.exec(why)?.[1] ?? null, why }
  }
  if (OTHER_TYPES.has(type) && !holdsTrade(data)) return { kind: 'ignored' }
  throw new Unreadable('a message of an unknown type')
}

/** Returns whether a message contains a trade. News messages have no price field `p`. */
function holdsTrade(data: unknown): boolean {
  return Array.isArray(data) && data.some((each: unknown) => isObject(each) && Object.hasOwn(each, 'p'))
}

function tradeOf(fields: unknown): FinnhubTrade | FinnhubUnread {
  if (!isObject(fields)) return { unread: { symbol: null } }
  const { s, p, v, t, c } = fields
  const symbol = readSymbol(s)
  const price = aboveZero(decimalNumber(p))
  const volume = decimalNumber(v)
  const time = readMs(t)
  const use = useOf(c)
  if (symbol === null || price === null || volume === null || time === null || use === null)
    return { unread: { symbol, time } }
  return { symbol, price, volume, time, use }
}

/** Trades of crypto and currencies, and early trades of stocks, have no conditions. */
function useOf(codes: unknown): FinnhubTrade['use'] | null {
  if (codes === undefined || codes === null) return 'price'
  if (!Array.isArray(codes) || !codes.every((code) => typeof code === 'string')) return null
  return tradeUse(codes)
}

/**
 * Sorts the trades of a frame, whose times may run back. `toSorted` keeps the order of equal times. A trade with an
 * unreadable time stays after the trades that were sent before it.
 */
function ascending(trades: readonly (FinnhubTrade | FinnhubUnread)[]): (FinnhubTrade | FinnhubUnread)[] {
  let newest = 0
  const timed = trades.map((trade) => {
    const time = ('unread' in trade ? trade.unread.time : trade.time) ?? newest
    newest = Math.max(newest, time)
    return { trade, time }
  })
  return timed.toSorted((a, b) => a.time - b.time).map(({ trade }) => trade)
}
