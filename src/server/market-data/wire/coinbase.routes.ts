import type { FastifyInstance, FastifyRequest } from 'fastify'
import { exchangeRest, ProductCandlesQuery, ProductParams } from '#contract/exchange-rest.ts'
import { type Price, priceNumber, priceText, volume, volumeNumber } from '#core/money/price.ts'
import { CHART_INTERVALS, intervalMs } from '#core/time/chart-interval.ts'
import { instant, SECOND_MS, toIso } from '#core/time/instant.ts'
import { exchangeVolume } from '#server/market-data/wire/stream-messages.ts'
import { exchangeTime, tickerProduct } from '#server/market-data/wire/tick-messages.ts'
import {
  createAnswer,
  ExchangeError,
  type ExchangeRoutesOptions,
  refuseOthers,
} from '#server/market-data/wire/exchange-reply.ts'
import { exchangeCurrencies, toExchangeProduct } from '#server/market-data/wire/exchange-symbols.ts'
import { wholeCandles } from '#server/market-data/wire/first-candles.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { isSymbolOpen } from '#server/market-data/hours/market-status.ts'

const MAX_CANDLES = 300
const bad = (status: number, message: string) => new ExchangeError(status, { message })
const ERRORS = {
  fault: bad(500, 'Internal server error'),
  tooMany: bad(429, 'Public rate limit exceeded'),
  notFound: bad(404, 'NotFound'),
  noPrice: bad(503, 'ServiceUnavailable'),
  granularity: bad(400, 'Unsupported granularity'),
  range: bad(400, 'granularity too small for the requested time range. Count of aggregations requested exceeds 300'),
  parameter: bad(400, 'Invalid parameter'),
} as const

/** Serves requests of clients written for Coinbase Exchange: see `contract/exchange-rest.ts`. */
export function coinbaseRoutes(app: FastifyInstance, options: ExchangeRoutesOptions): void {
  const { ctx, catalogue, ticks } = options
  const answer = createAnswer(app, options, ERRORS)
  const describe = (symbol: ListedSymbol) => toExchangeProduct(symbol, isSymbolOpen(catalogue, symbol, ctx.now()))

  answer(exchangeRest.clock, () => ({ iso: toIso(ctx.now()), epoch: ctx.now() / SECOND_MS }))
  answer(exchangeRest.products, () => catalogue.symbols.map(describe))
  answer(exchangeRest.currencies, () => exchangeCurrencies(catalogue.symbols))
  answer(exchangeRest.product, (request) => {
    const symbol = find(request)
    return symbol === undefined ? ERRORS.notFound : describe(symbol)
  })
  answer(exchangeRest.productTicker, (request) => {
    const symbol = find(request)
    if (symbol === undefined) return ERRORS.notFound
    const day = ticks.day(symbol.id)
    if (day === null) return ERRORS.noPrice
    return {
      trade_id: day.tick?.seq ?? 0,
      price: priceText(day.last, symbol.decimals),
      size: exchangeVolume(day.tick?.volume ?? volume(0)),
      time: exchangeTime(day.time),
      volume: exchangeVolume(day.volume),
    }
  })
  answer(exchangeRest.productStats, (request) => {
    const symbol = find(request)
    if (symbol === undefined) return ERRORS.notFound
    const day = ticks.day(symbol.id)
    if (day === null) return ERRORS.noPrice
    const text = (price: Price) => priceText(price, symbol.decimals)
    const { open, high, low, last } = day
    return { open: text(open), high: text(high), low: text(low), last: text(last), volume: exchangeVolume(day.volume) }
  })
  answer(exchangeRest.productCandles, async (request) => {
    const symbol = find(request)
    if (symbol === undefined) return ERRORS.notFound
    const read = ProductCandlesQuery.safeParse(request.query)
    if (!read.success) return ERRORS.parameter
    const { granularity, start, end } = read.data
    const interval = CHART_INTERVALS.find((one) => intervalMs(one) === granularity * SECOND_MS)
    if (interval === undefined) return ERRORS.granularity
    const until = Math.min(end ?? ctx.now(), ctx.now())
    const from = start ?? 0
    if (start !== undefined && Math.floor((until - from) / intervalMs(interval)) > MAX_CANDLES) return ERRORS.range
    // Coinbase's end time is inclusive; ours is exclusive.
    const query = { symbolId: symbol.id, interval, before: instant(until + 1), limit: MAX_CANDLES }
    const candles = await wholeCandles(ticks, query)
    if (candles === null) return ERRORS.noPrice
    const number = (price: Price) => priceNumber(price, symbol.decimals)
    return candles
      .filter(({ openTime }) => openTime >= from)
      .toReversed()
      .map(({ openTime, open, high, low, close, volume: traded }) => [
        openTime / SECOND_MS,
        number(low),
        number(high),
        number(open),
        number(close),
        volumeNumber(traded),
      ])
  })
  refuseOthers(app, '/api/products', ERRORS)

  function find({ params }: FastifyRequest): ListedSymbol | undefined {
    const { data } = ProductParams.safeParse(params)
    const wanted = data?.id.toUpperCase()
    return catalogue.symbols.find((symbol) => tickerProduct(symbol) === wanted)
  }
}
