import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import {
  AggregateTradesQuery,
  DayTickerQuery,
  ExchangeInfoQuery,
  exchangeRest,
  KlinesQuery,
  SymbolsQuery,
  TradesQuery,
} from '#contract/exchange-rest.ts'
import type { Tick } from '#core/markets/tick.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { instant } from '#core/time/instant.ts'
import { exchangePrice } from '#server/market-data/wire/stream-messages.ts'
import {
  createAnswer,
  ExchangeError,
  type ExchangeRoutesOptions,
  refuseOthers,
} from '#server/market-data/wire/exchange-reply.ts'
import {
  aggregateTrade,
  exchangeTrade,
  fullDayTicker,
  klineRow,
  miniDayTicker,
} from '#server/market-data/wire/exchange-messages.ts'
import { toExchangeSymbol } from '#server/market-data/wire/exchange-symbols.ts'
import { firstCandles, wholeCandles } from '#server/market-data/wire/first-candles.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { isSymbolOpen } from '#server/market-data/hours/market-status.ts'
import type { RecentTicks } from '#server/market-data/ticks.ts'

/** Error replies with Binance's own codes and texts. */
const bad = (status: number, code: number, msg: string) => new ExchangeError(status, { code, msg })
export const BINANCE_ERRORS = {
  fault: bad(500, -1000, 'An unknown error occurred while processing the request.'),
  tooMany: bad(429, -1003, 'Too many requests.'),
  notFound: bad(404, -1020, 'This operation is not supported.'),
  noInterval: bad(400, -1120, 'Invalid interval.'),
  noSymbol: bad(400, -1121, 'Invalid symbol.'),
  twoWays: bad(400, -1128, 'Combination of optional parameters invalid.'),
  noPrice: bad(503, -1001, 'Internal error; unable to process your request. Please try again.'),
  noStatus: bad(400, -1220, "The symbol's status does not match the requested symbolStatus."),
  noZone: bad(400, -1130, "Data sent for parameter 'timeZone' is not valid: its candles would not begin as in UTC."),
  noPermissions: bad(400, -1130, "Data sent for parameter 'permissions' is not valid: no symbol has permissions."),
  tooOld: bad(400, -1130, 'Data sent for parameter is not valid: only the newest trades are served.'),
} as const

/** Serves requests of clients written for Binance: see `contract/exchange-rest.ts`. */
export function binanceRoutes(app: FastifyInstance, options: ExchangeRoutesOptions): void {
  const { ctx, catalogue, ticks } = options
  const answer = createAnswer(app, options, BINANCE_ERRORS)

  answer(exchangeRest.ping, () => ({}))
  answer(exchangeRest.time, () => ({ serverTime: ctx.now() }))
  answer(exchangeRest.exchangeInfo, ({ query }) => {
    const read = readQuery(ExchangeInfoQuery, query)
    if (read instanceof ExchangeError) return read
    if (read.permissions !== undefined) return BINANCE_ERRORS.noPermissions
    if (read.symbolStatus !== undefined && (read.symbol ?? read.symbols) !== undefined) return BINANCE_ERRORS.twoWays
    const selection = readSelection(options, SymbolsQuery, query)
    if (selection instanceof ExchangeError) return selection
    const now = ctx.now()
    return {
      timezone: 'UTC' as const,
      serverTime: now,
      rateLimits: [],
      exchangeFilters: [],
      symbols: selection.symbols.map((one) => toExchangeSymbol(one, isSymbolOpen(catalogue, one, now))),
    }
  })
  answer(exchangeRest.klines, async ({ query }) => {
    const read = readQuery(KlinesQuery, query)
    if (read instanceof ExchangeError) return read
    const { interval, startTime, endTime, timeZone = 0, limit } = read
    if (timeZone % intervalMs(interval) !== 0) return BINANCE_ERRORS.noZone
    const symbol = find(catalogue, read.symbol)
    if (symbol === null) return BINANCE_ERRORS.noSymbol
    // Binance's end time is inclusive; ours is exclusive.
    const until = instant(Math.min(ctx.now(), endTime ?? ctx.now()) + 1)
    const candleQuery = { symbolId: symbol.id, interval, limit }
    const candles =
      startTime === undefined
        ? await wholeCandles(ticks, { ...candleQuery, before: until })
        : await firstCandles(ticks, { ...candleQuery, from: instant(startTime), until })
    if (candles === null) return BINANCE_ERRORS.noPrice
    return candles.map((candle) => klineRow(symbol, interval, candle))
  })
  answer(exchangeRest.dayTicker, ({ query }) => {
    const selection = readSelection(options, DayTickerQuery, query)
    if (selection instanceof ExchangeError) return selection
    const { isOne, symbols, read } = selection
    const toTicker = read.type === 'MINI' ? miniDayTicker : fullDayTicker
    return oneOrAll(isOne, symbols, (symbol) => {
      const day = ticks.day(symbol.id)
      return day && toTicker(symbol, day, ctx.now())
    })
  })
  answer(exchangeRest.priceTicker, ({ query }) => {
    const selection = readSelection(options, SymbolsQuery, query)
    if (selection instanceof ExchangeError) return selection
    return oneOrAll(selection.isOne, selection.symbols, (symbol) => {
      const quote = ticks.quote(symbol.id)
      return quote && { symbol: symbol.productId, price: exchangePrice(quote.last, symbol) }
    })
  })
  answer(exchangeRest.trades, ({ query }) => {
    const read = readQuery(TradesQuery, query)
    if (read instanceof ExchangeError) return read
    const symbol = find(catalogue, read.symbol)
    if (symbol === null) return BINANCE_ERRORS.noSymbol
    const recent = ticks.recent(symbol.id).ticks.slice(-read.limit)
    return recent.map((tick) => exchangeTrade(symbol, tick))
  })
  answer(exchangeRest.aggregateTrades, ({ query }) => {
    const read = readQuery(AggregateTradesQuery, query)
    if (read instanceof ExchangeError) return read
    const symbol = find(catalogue, read.symbol)
    if (symbol === null) return BINANCE_ERRORS.noSymbol
    const found = selectTrades(ticks.recent(symbol.id), read)
    return found instanceof ExchangeError ? found : found.map((tick) => aggregateTrade(symbol, tick))
  })
  refuseOthers(app, '/api/v3', BINANCE_ERRORS)
}

/** Finds a symbol by its exact exchange name only, because replies contain that name. */
function find(catalogue: MarketCatalogue, name: string): ListedSymbol | null {
  const symbol = catalogue.find(name)
  return symbol?.productId === name.toUpperCase() ? symbol : null
}

/** Reads which symbols a request names: one, several, or all. */
function readSelection<S extends typeof SymbolsQuery>(
  { ctx, catalogue }: Pick<ExchangeRoutesOptions, 'ctx' | 'catalogue'>,
  schema: S,
  query: unknown,
) {
  const read = readQuery(schema, query)
  if (read instanceof ExchangeError) return read
  const { symbol, symbols, symbolStatus } = read
  if (symbol !== undefined && symbols !== undefined) return BINANCE_ERRORS.twoWays
  const names = symbol === undefined ? symbols : [symbol]
  const found = names === undefined ? catalogue.symbols : names.flatMap((name) => find(catalogue, name) ?? [])
  if (names !== undefined && found.length < names.length) return BINANCE_ERRORS.noSymbol
  const statusOf = (one: ListedSymbol) => (isSymbolOpen(catalogue, one, ctx.now()) ? 'TRADING' : 'BREAK')
  const meant = found.filter((one) => symbolStatus === undefined || symbolStatus === statusOf(one))
  const isOne = symbol !== undefined
  return isOne && meant.length === 0 ? BINANCE_ERRORS.noStatus : { read, isOne, symbols: meant }
}

/** Returns one object for a request of one symbol, else a list of the symbols that have a price. */
function oneOrAll<T>(
  isOne: boolean,
  symbols: readonly ListedSymbol[],
  toReply: (symbol: ListedSymbol) => T | null,
): T | T[] | ExchangeError {
  const replies = symbols.flatMap((symbol) => toReply(symbol) ?? [])
  return isOne ? (replies[0] ?? BINANCE_ERRORS.noPrice) : replies
}

/**
 * Selects the first trades from an id or a time on. Without either, selects the newest trades. Throws for trades that
 * are no longer in memory.
 */
function selectTrades(
  { ticks, isWhole }: RecentTicks,
  { fromId, startTime, endTime, limit }: z.output<typeof AggregateTradesQuery>,
): readonly Tick[] | ExchangeError {
  if (fromId !== undefined && (startTime !== undefined || endTime !== undefined)) return BINANCE_ERRORS.twoWays
  const [first] = ticks
  const isGone =
    first !== undefined &&
    !isWhole &&
    ((fromId !== undefined && fromId < first.seq) ||
      (startTime !== undefined && startTime <= first.time) ||
      (endTime !== undefined && endTime < first.time))
  if (isGone) return BINANCE_ERRORS.tooOld
  const found = ticks.filter(
    ({ seq, time }) => seq >= (fromId ?? 0) && time >= (startTime ?? 0) && time <= (endTime ?? Number.MAX_SAFE_INTEGER),
  )
  return fromId === undefined && startTime === undefined ? found.slice(-limit) : found.slice(0, limit)
}

function readQuery<S extends z.ZodObject>(schema: S, query: unknown): z.output<S> | ExchangeError {
  const read = schema.safeParse(query)
  if (read.success) return read.data
  const name = String(read.error.issues[0]?.path[0])
  const sent: unknown =
    typeof query === 'object' && query !== null && name in query ? Reflect.get(query, name) : undefined
  if (sent === undefined || sent === '')
    return bad(400, -1102, `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`)
  if (Array.isArray(sent)) return bad(400, -1101, `Duplicate values for parameter '${name}' detected.`)
  if (name === 'interval') return BINANCE_ERRORS.noInterval
  if (name === 'symbol') return BINANCE_ERRORS.noSymbol
  return bad(400, -1100, `Illegal characters found in parameter '${name}'.`)
}
