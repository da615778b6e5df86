import { type Instant, instant } from '#core/time/instant.ts'
import {
  isObject,
  plainDecimal,
  plainPrice,
  plainTime,
  readJson,
  Unreadable,
} from '#server/feeds/providers/exact-json.ts'

export type BinanceMessage =
  | BinanceTrade
  | BinanceTicker
  /** To something we asked for; `error` is null when it was granted. */
  | { readonly kind: 'answer'; readonly id: number | null; readonly error: string | null }
  /** The server is about to end the connection. */
  | { readonly kind: 'shutdown' }
  /** Something we have no use for. */
  | { readonly kind: 'other' }

export interface BinanceTrade {
  readonly kind: 'trade'
  readonly symbol: string
  /** Rises by one with each trade of a symbol. */
  readonly id: bigint
  readonly price: string
  readonly volume: string
  readonly time: Instant
}

export interface BinanceTicker {
  readonly kind: 'ticker'
  readonly symbol: string
  readonly price: string
  /** The last trade it knows of, and up to when it knows. */
  readonly lastTradeId: bigint
  readonly knownUpTo: Instant
  readonly time: Instant
}

const OTHER: BinanceMessage = { kind: 'other' }

/**
 * One message of a spot stream, alone or in the wrapping of a combined stream. Names differ only in case (e and E are
 * two fields). Throws `Unreadable`.
 */
export function parseBinance(text: string): BinanceMessage {
  const message = readJson(text)
  if (!isObject(message)) throw new Unreadable('not a message')
  if ('stream' in message || 'data' in message) return inStream(message.stream, message.data)
  return event(message, null)
}

function inStream(stream: unknown, data: unknown): BinanceMessage {
  if (typeof stream !== 'string') throw new Unreadable('a stream without a name')
  // Lists of all symbols at once; we follow single ones.
  return isObject(data) ? event(data, stream) : OTHER
}

type Fields = Readonly<Record<string, unknown>>

function event(fields: Fields, stream: string | null): BinanceMessage {
  switch (fields.e) {
    case 'trade':
      return trade(fields, stream)
    case '24hrTicker':
      return isSpotTicker(fields) ? ticker(fields, stream) : OTHER
    case 'serverShutdown':
      return { kind: 'shutdown' }
    default:
      return stream === null && fields.e === undefined ? answer(fields) : OTHER
  }
}

function trade(fields: Fields, stream: string | null): BinanceTrade {
  const symbol = symbolOf(fields, stream, 'trade')
  const id = wholeNumber(fields.t)
  const price = plainPrice(fields.p)
  const volume = plainDecimal(fields.q)
  const time = plainTime(fields.T)
  if (id === null || typeof fields.p !== 'string' || price === null || volume === null || time === null)
    throw new Unreadable(`a trade of ${symbol} with fields that make no sense`)
  return { kind: 'trade', symbol, id, price, volume, time: instant(time) }
}

function ticker(fields: Fields, stream: string | null): BinanceTicker {
  const symbol = symbolOf(fields, stream, 'ticker')
  const lastTradeId = wholeNumber(fields.L)
  const price = plainPrice(fields.c)
  const time = plainTime(fields.E)
  const closedAt = plainTime(fields.C)
  if (lastTradeId === null || typeof fields.c !== 'string' || price === null || time === null || closedAt === null)
    throw new Unreadable(`a ticker of ${symbol} with fields that make no sense`)
  // More trades may come in the millisecond it was made in.
  const knownUpTo = instant(Math.min(time, closedAt) - 1)
  return { kind: 'ticker', symbol, price, lastTradeId, knownUpTo, time: instant(time) }
}

/** Tickers of futures have the same name, but no best bid and ask. */
function isSpotTicker(fields: Fields): boolean {
  return 'x' in fields && 'b' in fields && 'a' in fields
}

function symbolOf(fields: Fields, stream: string | null, channel: string): string {
  const { s: symbol } = fields
  if (typeof symbol !== 'string' || symbol === '') throw new Unreadable(`a ${channel} without a symbol`)
  if (stream !== null && stream !== `${symbol.toLowerCase()}@${channel}`)
    throw new Unreadable(`a ${channel} of ${symbol.slice(0, 40)} in the stream ${stream.slice(0, 40)}`)
  return symbol
}

function answer(fields: Fields): BinanceMessage {
  const id = typeof fields.id === 'number' ? fields.id : null
  const error = isObject(fields.error) ? fields.error : fields
  if (typeof error.code === 'number')
    return { kind: 'answer', id, error: `${error.code} ${String(error.msg)}`.slice(0, 200) }
  return 'result' in fields ? { kind: 'answer', id, error: null } : OTHER
}

/** Ids may have more digits than a JavaScript number keeps; those arrive as text. */
function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  return typeof value === 'string' && /^\d{16,20}$/.test(value) ? BigInt(value) : null
}
