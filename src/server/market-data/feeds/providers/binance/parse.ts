import { type Instant, instant } from '#core/time/instant.ts'
import {
  aboveZero,
  decimalText,
  isObject,
  numberText,
  readJson,
  Unreadable,
} from '#server/market-data/feeds/providers/exact-json.ts'
import { readMicros, readMs } from '#server/market-data/feeds/providers/provider-time.ts'

export type BinanceMessage =
  | BinanceTrade
  | BinanceTicker
  /** The reply to a request. `error` is null when it was granted. */
  | { readonly kind: 'answer'; readonly id: number | null; readonly error: string | null }
  /** The server is about to end the connection. */
  | { readonly kind: 'shutdown' }
  /** A message that is not needed. */
  | { readonly kind: 'other' }

/** Binance sends microseconds only when a client requests them. All times on a connection have the same unit. */
export type BinanceTimeUnit = 'ms' | 'us'

export interface BinanceTrade {
  readonly kind: 'trade'
  readonly symbol: string
  /** Rises by one with each trade of a symbol. */
  readonly id: bigint
  readonly price: string
  readonly volume: string
  readonly time: Instant
  readonly unit: BinanceTimeUnit
}

export interface BinanceTicker {
  readonly kind: 'ticker'
  readonly symbol: string
  readonly price: string
  /** The last trade that the ticker knows, and up to which time it knows all trades. */
  readonly lastTradeId: bigint
  readonly knownUpTo: Instant
  readonly time: Instant
  readonly unit: BinanceTimeUnit
}

const OTHER: BinanceMessage = { kind: 'other' }

/** Streams and events without trades of ours. None of them is subscribed. */
const OTHER_STREAM =
  /^(?:aggTrade|avgPrice|bookTicker|miniTicker|kline_\w+(?:@\S+)?|depth(?:\d+)?(?:@\d+ms)?|ticker_\w+|blockTrade)$/
const OUR_EVENTS = new Set<unknown>(['trade', '24hrTicker'])
const OTHER_EVENTS = new Set<unknown>([
  'aggTrade',
  'avgPrice',
  'depthUpdate',
  'kline',
  '24hrMiniTicker',
  '1hTicker',
  '4hTicker',
  '1dTicker',
])

/**
 * Parses one message of a spot stream, single or wrapped in a combined stream. Names may differ only in case (e and E are two fields).
 * Throws `Unreadable` for anything that may be a trade or ticker but is invalid.
 */
export function parseBinance(text: string): BinanceMessage {
  const message = readJson(text)
  if (!isObject(message)) throw new Unreadable('not a message')
  if (Object.hasOwn(message, 'stream') || Object.hasOwn(message, 'data')) return inStream(message.stream, message.data)
  return event(message)
}

/** Upper-case or caseless letters of any script, because some symbols are not Latin. */
const SYMBOL = /^[\p{Lu}\p{Lo}\p{N}._-]{1,40}$/u

type Fields = Readonly<Record<string, unknown>>

function inStream(stream: unknown, data: unknown): BinanceMessage {
  if (typeof stream !== 'string') throw new Unreadable('a stream without a name')
  const at = stream.indexOf('@')
  const symbol = stream.slice(0, at).toUpperCase()
  const channel = stream.slice(at + 1)
  if (isObject(data)) {
    if (channel === 'trade' && data.e === 'trade') return trade(data, symbol)
    if (channel === 'ticker' && data.e === '24hrTicker') return isSpotTicker(data) ? ticker(data, symbol) : OTHER
    if (data.e === 'serverShutdown') return { kind: 'shutdown' }
  }
  // Streams that list all symbols are not needed, because each symbol is subscribed to separately.
  if (stream.startsWith('!')) return OTHER
  if (at > 0 && OTHER_STREAM.test(channel) && !(isObject(data) && OUR_EVENTS.has(data.e))) return OTHER
  const isOurs = SYMBOL.test(symbol) && (channel === 'trade' || channel === 'ticker')
  throw new Unreadable(`not what the stream ${stream.slice(0, 40)} sends`, isOurs ? { symbol, channel } : undefined)
}

function event(fields: Fields): BinanceMessage {
  switch (fields.e) {
    case 'trade':
      return trade(fields, symbolIn(fields))
    case '24hrTicker':
      return isSpotTicker(fields) ? ticker(fields, symbolIn(fields)) : OTHER
    case 'serverShutdown':
      return { kind: 'shutdown' }
    default:
      if (OTHER_EVENTS.has(fields.e) || isBookTicker(fields)) return OTHER
      return answer(fields)
  }
}

function trade(fields: Fields, symbol: string): BinanceTrade {
  const id = wholeNumber(fields.t)
  const price = aboveZero(decimalText(fields.p))
  const volume = decimalText(fields.q)
  const unit = unitOf(fields.T)
  const time = timeIn(unit, fields.T)
  if (id === null || price === null || volume === null || time === null || !isOfSymbol(fields, symbol)) {
    // Stream and trade name different symbols: either may be the right one.
    const about = isOfSymbol(fields, symbol) ? { symbol, id, time } : { symbol: null }
    throw new Unreadable(`a trade of ${symbol} with invalid fields`, { ...about, channel: 'trade' })
  }
  return { kind: 'trade', symbol, id, price, volume, time, unit }
}

/** The statistics of a symbol. Without a trade in the last day they name no trade and are ignored. */
function ticker(fields: Fields, symbol: string): BinanceTicker | typeof OTHER {
  if (namesNoTrade(fields) && isOfSymbol(fields, symbol)) return OTHER
  const lastTradeId = wholeNumber(fields.L)
  const price = aboveZero(decimalText(fields.c))
  const unit = unitOf(fields.E)
  const time = timeIn(unit, fields.E)
  const closedAt = timeIn(unit, fields.C)
  const isOfIt = isOfSymbol(fields, symbol)
  if (lastTradeId === null || price === null || time === null || closedAt === null || !isOfIt) {
    const about = isOfIt ? { symbol, id: lastTradeId } : { symbol: null }
    throw new Unreadable(`a ticker of ${symbol} with invalid fields`, { ...about, channel: 'ticker' })
  }
  // More trades may follow in the millisecond in which the ticker was created.
  const knownUpTo = instant(Math.min(time, closedAt) - 1)
  return { kind: 'ticker', symbol, price, lastTradeId, knownUpTo, time, unit }
}

/** `L` is -1 or 0 together with a count of zero trades. The first trade of a symbol has the id 0 too. */
function namesNoTrade({ L, n }: Fields): boolean {
  return (L === -1 || L === 0) && n === 0
}

/** Tickers of futures have the same name, but no best bid and ask. */
function isSpotTicker(fields: Fields): boolean {
  return Object.hasOwn(fields, 'x') || Object.hasOwn(fields, 'b') || Object.hasOwn(fields, 'a')
}

function isBookTicker(fields: Fields): boolean {
  return fields.e === undefined && ['u', 's', 'b', 'B', 'a', 'A'].every((name) => Object.hasOwn(fields, name))
}

function symbolIn({ s: symbol, e }: Fields): string {
  if (typeof symbol !== 'string' || !SYMBOL.test(symbol)) throw new Unreadable(`a ${String(e)} without a symbol`)
  return symbol
}

function isOfSymbol({ s }: Fields, symbol: string): boolean {
  return typeof s === 'string' && s === symbol
}

/** Milliseconds, unless the number has the size of microseconds. */
function unitOf(value: unknown): BinanceTimeUnit {
  return readMs(value) === null ? 'us' : 'ms'
}

function timeIn(unit: BinanceTimeUnit, value: unknown): Instant | null {
  return unit === 'ms' ? readMs(value) : readMicros(value)
}

function answer(fields: Fields): BinanceMessage {
  const id = typeof fields.id === 'number' ? fields.id : null
  const error = isObject(fields.error) ? fields.error : fields
  if (typeof error.code === 'number')
    return { kind: 'answer', id, error: `${error.code} ${String(error.msg)}`.slice(0, 200) }
  if (fields.e !== undefined || !Object.hasOwn(fields, 'result')) throw new Unreadable('an unknown message')
  return { kind: 'answer', id, error: null }
}

/** A number without sign or fraction. Ids may have more digits than a JavaScript number keeps. */
function wholeNumber(value: unknown): bigint | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  const digits = numberText(value) ?? ''
  return /^\d{1,20}$/.test(digits) ? BigInt(digits) : null
}
