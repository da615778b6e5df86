import { subnetOf } from '#server/limits/subnet.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import {
  exchangeRest,
  type ExchangeQuestion,
  type ExchangeSymbol,
  KlinesQuery,
  type KlineRow,
} from '#contract/exchange-rest.ts'
import type { Candle } from '#core/markets/candle.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { intervalMs } from '#core/time/chart-interval.ts'
import { instant, SECOND_MS, toIso } from '#core/time/instant.ts'
import { callerOf } from '#server/http/register-call.ts'
import type { TakeCall } from '#server/http/rate-limit.ts'
import { klineMessage } from '#server/live/stream-messages.ts'
import { tickerProduct } from '#server/live/tick-messages.ts'
import type { ListedSymbol } from '#server/markets/market-catalogue.ts'
import type { MarketParts } from '#server/markets/market-list.ts'
import { isSymbolOpen } from '#server/markets/market-status.ts'

/** What the exchanges answer, by their own numbers. */
const ERRORS = {
  tooMany: { status: 429, code: -1003, msg: 'Too many requests.' },
  badParameter: { status: 400, code: -1100, msg: 'Illegal characters found in a parameter.' },
  noInterval: { status: 400, code: -1120, msg: 'Invalid interval.' },
  noSymbol: { status: 400, code: -1121, msg: 'Invalid symbol.' },
} as const
type ErrorName = keyof typeof ERRORS

const PRECISION = 8

export interface ExchangeRoutesOptions extends MarketParts {
  readonly takeByAddress: TakeCall
}

/** The exchanges' questions that their clients begin with: see `contract/exchange-rest.ts`. */
export function exchangeRoutes(
  app: FastifyInstance,
  { ctx, catalogue, ticks, takeByAddress }: ExchangeRoutesOptions,
): void {
  const isOpen = (symbol: ListedSymbol) => isSymbolOpen(catalogue, symbol, ctx.now())

  answer(exchangeRest.ping, async () => ({}))
  answer(exchangeRest.time, async () => ({ serverTime: ctx.now() }))
  answer(exchangeRest.exchangeInfo, async () => ({
    timezone: 'UTC' as const,
    serverTime: ctx.now(),
    rateLimits: [],
    exchangeFilters: [],
    symbols: catalogue.symbols.map((symbol) => describeSymbol(symbol, isOpen(symbol))),
  }))
  answer(exchangeRest.klines, async (request) => {
    const read = KlinesQuery.safeParse(request.query)
    if (!read.success) return read.error.issues[0]?.path[0] === 'interval' ? 'noInterval' : 'badParameter'
    const { interval, startTime, endTime, limit } = read.data
    const symbol = catalogue.find(read.data.symbol)
    if (symbol === null) return 'noSymbol'
    // From a start on the first ones are wanted, else the last ones. Their end is inclusive, ours is not.
    const ends = [ctx.now(), ...(endTime === undefined ? [] : [endTime])]
    if (startTime !== undefined) ends.push(startTime + intervalMs(interval) * limit - 1)
    const candles = await ticks.candles({
      symbolId: symbol.id,
      interval,
      before: instant(Math.min(...ends) + 1),
      limit,
    })
    return candles
      .filter(({ openTime }) => openTime >= (startTime ?? 0))
      .map((candle) => toRow(symbol, interval, candle))
  })
  answer(exchangeRest.clock, async () => ({ iso: toIso(ctx.now()), epoch: ctx.now() / SECOND_MS }))
  answer(exchangeRest.products, async () =>
    catalogue.symbols.map((symbol) => {
      const id = tickerProduct(symbol)
      const [base_currency = '', quote_currency = ''] = id.split('-')
      return {
        id,
        base_currency,
        quote_currency,
        quote_increment: increment(symbol.decimals),
        base_increment: increment(PRECISION),
        display_name: `${base_currency}/${quote_currency}`,
        margin_enabled: false,
        post_only: false,
        limit_only: false,
        cancel_only: false,
        trading_disabled: true,
        status: isOpen(symbol) ? 'online' : 'offline',
        status_message: symbol.closedReason ?? '',
      }
    }),
  )
  answer(exchangeRest.currencies, async () => {
    const names = new Map(catalogue.symbols.map((symbol) => [partsOf(symbol).base, symbol.name]))
    for (const symbol of catalogue.symbols) {
      const { quote } = partsOf(symbol, tickerProduct(symbol))
      if (!names.has(quote)) names.set(quote, quote)
    }
    return [...names].map(([id, name]) => ({ id, name, status: 'online' as const }))
  })

  function answer<Q extends ExchangeQuestion>(
    question: Q,
    say: (request: FastifyRequest) => Promise<z.input<Q['reply']> | ErrorName>,
  ): void {
    app.get(`/api${question.path}`, async (request, reply) => {
      void reply.header('cache-control', 'no-store')
      const wait = takeByAddress(subnetOf(callerOf(request).address), ctx.now())
      if (wait > 0) return fail(reply.header('retry-after', String(wait)), 'tooMany')
      const said = await say(request)
      return isError(said) ? fail(reply, said) : said
    })
  }
}

function isError(said: unknown): said is ErrorName {
  return typeof said === 'string' && Object.hasOwn(ERRORS, said)
}

function fail(reply: FastifyReply, name: ErrorName) {
  const { status, code, msg } = ERRORS[name]
  void reply.code(status)
  return { code, msg }
}

function describeSymbol(symbol: ListedSymbol, isOpen: boolean): z.input<typeof ExchangeSymbol> {
  const { base, quote } = partsOf(symbol)
  const tickSize = increment(symbol.decimals)
  return {
    symbol: symbol.productId,
    status: isOpen ? 'TRADING' : 'BREAK',
    baseAsset: base,
    baseAssetPrecision: PRECISION,
    quoteAsset: quote,
    quotePrecision: PRECISION,
    quoteAssetPrecision: PRECISION,
    orderTypes: [],
    isSpotTradingAllowed: false,
    isMarginTradingAllowed: false,
    // Zero: no bound.
    filters: [{ filterType: 'PRICE_FILTER', minPrice: increment(null), maxPrice: increment(null), tickSize }],
    permissions: [],
  }
}

/** `BTC` and `USDT` of `BTCUSDT`; `EUR` and `USD`; a stock is priced in `USD`. */
function partsOf(symbol: ListedSymbol, product = symbol.productId): { base: string; quote: string } {
  const [base = '', quote = ''] = tickerProduct(symbol).split('-')
  return { base, quote: product === `${base}USDT` ? 'USDT' : quote }
}

/** One unit of the last decimal; null is zero. */
function increment(decimals: number | null): string {
  const unit = decimals === null ? 0n : 10n ** BigInt(PRECISION - decimals)
  return formatDecimal(unit, PRECISION)
}

/** A candle as the stream has it, as a row. */
function toRow(symbol: ListedSymbol, interval: z.output<typeof KlinesQuery>['interval'], candle: Candle): KlineRow {
  const { k } = klineMessage(symbol, interval, candle, { isClosed: true, now: candle.openTime })
  return [k.t, k.o, k.h, k.l, k.c, k.v, k.T, k.q, k.n, k.V, k.Q, k.B]
}
