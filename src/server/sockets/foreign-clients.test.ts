import binanceConnector from '@binance/connector'
import { MainClient, WebsocketClient } from 'binance'
import createBinanceApiNode from 'binance-api-node'
import ccxt from 'ccxt'
import { CandleGranularity, CoinbasePro, WebSocketChannelName, WebSocketEvent } from 'coinbase-pro-node'
import NodeBinanceApi from 'node-binance-api'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { foldTicks } from '#core/markets/candle.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/**
 * These tests run third-party clients of the exchanges, in their published versions, on a Sunday. Crypto trades, the
 * stock has its last tick of Friday, and the currency pair has only provider history and no tick.
 */
const BTC = 1
const AAPL = idOf('AAPL')
const EURUSD = idOf('EURUSD')
const FRIDAY_CLOSE = Date.UTC(2026, 2, 20, 20)
/** The end of the pair's history, before this server started. */
const PAST_END = FRIDAY_CLOSE - 30 * MINUTE_MS
const SUNDAY = Date.UTC(2026, 2, 22, 12)
const POLL = { interval: 5 }
const { Spot, WebsocketStream } = binanceConnector
const SILENT = { info() {}, warn() {}, error() {}, debug() {}, log() {}, trace() {} }

const database = useTestDatabase({ emptied: 'once' })
const feed = new ScriptedFeed(CATALOGUE)
let app: TestApp
let http: string
let sockets: string
const goodbyes: (() => unknown)[] = []

beforeAll(async () => {
  const past = { price: price(108_512), volume: volume(0), time: instant(PAST_END) }
  feed.past.set(EURUSD, foldTicks([past], '1m'))
  app = await createTestApp(database, { feedOn: () => feed })
  app.ctx.clock.jump(FRIDAY_CLOSE - 10 * SECOND_MS - app.ctx.now())
  http = await app.start()
  sockets = http.replace('http', 'ws')
  const speak = async (symbolId: number, units: number, size: number) => {
    const time = app.ctx.now()
    feed.tick(symbolId, units, time, size)
    await until(() => app.ticks.latest(symbolId)?.time === time)
  }
  await speak(AAPL, 24_985, 1_500_000)
  app.ctx.clock.jump(SUNDAY - app.ctx.now())
  await speak(BTC, 9_400_012, 250_000)
  await speak(BTC, 9_500_034, 500_000)
})
afterEach(async () => {
  for (const goodbye of goodbyes.splice(0)) await goodbye()
})
afterAll(() => app.stop())

function idOf(code: string): number {
  return CATALOGUE.find((symbol) => symbol.code === code)?.id ?? 0
}

/** Advances the server's time until the condition is true. */
async function until(isSo: () => unknown): Promise<void> {
  await vi.waitFor(() => {
    app.ctx.clock.advance(20)
    expect(isSo()).toBeTruthy()
  }, POLL)
}

/** Advances the server's time until a client has its reply. */
async function come<T>(answer: Promise<T>): Promise<T> {
  let isThere = false
  void answer.finally(() => (isThere = true)).catch(() => {})
  await until(() => isThere)
  return answer
}

/** The last price of each symbol, in open and closed markets. */
const LAST = { BTCUSDT: 95_000.34, AAPL: 249.85, EURUSD: 1.08512 } as const
const names = Object.keys(LAST) as (keyof typeof LAST)[]

describe('clients of Binance', () => {
  it('P20: ccxt fetches and watches tickers, trades and candles of open and closed markets', async () => {
    const exchange = new ccxt.pro.binance({
      options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } },
      urls: { api: { public: `${http}/api/v3`, ws: { spot: `${sockets}/ws` } } },
    })
    goodbyes.push(() => exchange.close())
    await exchange.loadHttpProxyAgent()
    await exchange.loadMarkets()
    expect([exchange.market('BTC/USDT').active, exchange.market('AAPL/USD').active]).toEqual([true, false])
    expect(await exchange.fetchTicker('BTC/USDT')).toMatchObject({
      last: 95_000.34,
      open: 94_000.12,
      high: 95_000.34,
      low: 94_000.12,
      percentage: 1.064,
      baseVolume: 0.75,
      timestamp: app.ticks.latest(BTC)?.time,
    })
    expect(await exchange.fetchTicker('AAPL/USD')).toMatchObject({
      last: 249.85,
      percentage: 0,
      timestamp: FRIDAY_CLOSE - 10_000,
    })
    expect(await exchange.fetchTicker('EUR/USD')).toMatchObject({
      last: 1.08512,
      timestamp: PAST_END,
    })
    expect(Object.keys(await exchange.fetchTickers()).toSorted()).toEqual(['AAPL/USD', 'BTC/USDT', 'EUR/USD'])
    const trades = await exchange.fetchTrades('BTC/USDT')
    expect(trades.map(({ id, amount, side, ...trade }) => [id, trade.price, amount, side])).toEqual([
      ['2', 94_000.12, 0.25, undefined],
      ['3', 95_000.34, 0.5, undefined],
    ])
    const [since] = [trades[1]?.timestamp]
    expect(await exchange.fetchTrades('BTC/USDT', since)).toHaveLength(1)
    expect(await exchange.fetchTrades('AAPL/USD')).toMatchObject([{ id: '1', price: 249.85 }])
    expect(await exchange.fetchTrades('EUR/USD')).toEqual([])
    expect(await exchange.fetchOHLCV('AAPL/USD', '1m')).toEqual([
      [FRIDAY_CLOSE - MINUTE_MS, 249.85, 249.85, 249.85, 249.85, 1.5],
    ])
    // The candles from Friday evening on: the weekend has none.
    expect(await exchange.fetchOHLCV('EUR/USD', '5m', FRIDAY_CLOSE - 60 * MINUTE_MS)).toHaveLength(1)
    expect(await exchange.fetchOHLCV('BTC/USDT', '1m', FRIDAY_CLOSE, 10)).toHaveLength(1)
    for (const symbol of ['BTC/USDT', 'AAPL/USD', 'EUR/USD']) {
      const { last, timestamp } = await come(exchange.watchTicker(symbol))
      expect([last, timestamp]).toEqual([expect.any(Number), (await exchange.fetchTicker(symbol)).timestamp])
      expect((await come(exchange.watchOHLCV(symbol, '1m'))).at(-1)?.[4]).toBe(last)
    }
    await expect(exchange.publicGetTicker24hr({ symbol: 'MOONUSDT' })).rejects.toThrow(ccxt.BadSymbol)
    await expect(exchange.fetchOrderBook('BTC/USDT')).rejects.toThrow('-1020')
  })

  it('P20: the official connector reads all market data, and gets errors in the form of Binance', async () => {
    const rest = new Spot('', '', { baseURL: http })
    expect((await rest.ping()).data).toEqual({})
    expect((await rest.time()).data.serverTime).toBe(app.ctx.now())
    expect((await rest.exchangeInfo({ symbol: 'AAPL' })).data).toMatchObject({
      symbols: [{ symbol: 'AAPL', status: 'BREAK' }],
    })
    expect((await rest.exchangeInfo({ symbols: ['BTCUSDT', 'EURUSD'] })).data).toMatchObject({
      symbols: [{ symbol: 'BTCUSDT' }, { symbol: 'EURUSD' }],
    })
    expect((await rest.ticker24hr('BTCUSDT')).data).toMatchObject({
      lastPrice: '95000.34000000',
      priceChangePercent: '1.064',
      lastId: 3,
    })
    expect((await rest.ticker24hr('', ['BTCUSDT', 'AAPL'])).data).toMatchObject([
      { symbol: 'BTCUSDT' },
      { symbol: 'AAPL' },
    ])
    expect((await rest.tickerPrice('EURUSD')).data).toEqual({ symbol: 'EURUSD', price: '1.08512000' })
    expect((await rest.trades('BTCUSDT', { limit: 1 })).data).toEqual([
      {
        id: 3,
        price: '95000.34000000',
        qty: '0.50000000',
        quoteQty: '47500.17000000',
        time: app.ticks.latest(BTC)?.time,
        isBestMatch: true,
      },
    ])
    expect((await rest.aggTrades('BTCUSDT', { fromId: 3 })).data).toMatchObject([{ a: 3, f: 3, l: 3 }])
    expect((await rest.klines('AAPL', '1h', { limit: 5 })).data).toHaveLength(1)
    const refused = async (answer: Promise<unknown>) =>
      answer.then(
        () => null,
        ({ response: { status, data } }: { response: { status: number; data: unknown } }) => ({ status, data }),
      )
    expect(await refused(rest.ticker24hr('MOON'))).toEqual({
      status: 400,
      data: { code: -1121, msg: 'Invalid symbol.' },
    })
    expect(await refused(rest.klines('BTCUSDT', '7m'))).toEqual({
      status: 400,
      data: { code: -1120, msg: 'Invalid interval.' },
    })
    expect(await refused(rest.bookTicker('BTCUSDT'))).toEqual({
      status: 404,
      data: { code: -1020, msg: 'This operation is not supported.' },
    })
    expect(await refused(rest.ticker24hr('AUDUSD'))).toMatchObject({ status: 503, data: { code: -1001 } })
  })

  it.each(['', '/ws'])('P19: the official connector finds the streams at an address that ends in "%s"', async (end) => {
    for (const combinedStreams of [false, true]) {
      const messages: { data?: { s: string; c: string }; s: string; c: string }[] = []
      const stream = new WebsocketStream({
        wsURL: sockets + end,
        combinedStreams,
        logger: SILENT,
        callbacks: { message: (text) => void messages.push(JSON.parse(text) as (typeof messages)[number]) },
      })
      goodbyes.push(() => stream.disconnect())
      stream.subscribe(names.map((name) => `${name.toLowerCase()}@ticker`))
      await until(() => messages.length >= names.length)
      const tickers = messages.map(({ data, ...plain }) => data ?? plain)
      expect(Object.fromEntries(tickers.map(({ s, c }) => [s, Number(c)]))).toEqual(LAST)
    }
  })

  it('P20: binance-api-node reads market data and subscribes to streams', async () => {
    const client = createBinanceApiNode({ httpBase: http, wsBase: `${sockets}/ws` })
    expect(await client.ping()).toBe(true)
    expect(await client.time()).toBe(app.ctx.now())
    expect((await client.exchangeInfo()).symbols).toHaveLength(CATALOGUE.length)
    expect(await client.prices()).toMatchObject({
      BTCUSDT: '95000.34000000',
      AAPL: '249.85000000',
      EURUSD: '1.08512000',
    })
    expect(await client.dailyStats({ symbol: 'AAPL' })).toMatchObject({
      lastPrice: '249.85000000',
      closeTime: FRIDAY_CLOSE - 10_000,
    })
    expect(await client.trades({ symbol: 'BTCUSDT' })).toHaveLength(2)
    expect(await client.aggTrades({ symbol: 'BTCUSDT' })).toMatchObject([
      { aggId: 2 },
      { aggId: 3, price: '95000.34000000' },
    ])
    expect(await client.candles({ symbol: 'EURUSD', interval: '1m' })).toMatchObject([{ close: '1.08512000' }])
    await expect(client.dailyStats({ symbol: 'MOON' })).rejects.toMatchObject({
      code: -1121,
      message: 'Invalid symbol.',
    })
    await expect(client.book({ symbol: 'BTCUSDT' })).rejects.toMatchObject({ code: -1020 })
    const prices = new Map<string, string>()
    goodbyes.push(
      client.ws.ticker(names, ({ symbol, curDayClose }) => void prices.set(`${symbol} day`, curDayClose)),
      client.ws.candles(names, '1m', ({ symbol, close }) => void prices.set(`${symbol} candle`, close)),
    )
    await until(() => prices.size === 2 * names.length)
    for (const name of names)
      for (const kind of ['day', 'candle']) expect(Number(prices.get(`${name} ${kind}`))).toBe(LAST[name])
  })

  it('P20: node-binance-api reads market data and subscribes to streams', async () => {
    const client = new NodeBinanceApi({
      urls: { base: `${http}/api/`, stream: `${sockets}/ws/`, combineStream: `${sockets}/stream?streams=` },
      log: () => {},
    })
    expect(await client.ping()).toEqual({})
    expect(await client.time()).toEqual({ serverTime: app.ctx.now() })
    expect((await client.exchangeInfo()).symbols).toHaveLength(CATALOGUE.length)
    expect(await client.prices()).toEqual({ BTCUSDT: '95000.34000000', AAPL: '249.85000000', EURUSD: '1.08512000' })
    expect(await client.prevDay('AAPL')).toMatchObject({ lastPrice: '249.85000000', closeTime: FRIDAY_CLOSE - 10_000 })
    expect(await client.recentTrades('BTCUSDT')).toHaveLength(2)
    expect(await client.aggTrades('BTCUSDT')).toHaveLength(2)
    expect(await client.candlesticks('EURUSD', '1m')).toHaveLength(1)
    await expect(client.prevDay('MOON')).rejects.toThrow('-1121')
    await expect(client.depth('BTCUSDT')).rejects.toThrow('-1020')
    const prices = new Map<string, string>()
    const open = [
      client.prevDayStream(
        'AAPL',
        (_: unknown, { symbol, close }: Record<'symbol' | 'close', string>) => void prices.set(symbol, close),
      ),
      client.candlesticksStream(
        ['BTCUSDT', 'EURUSD'],
        '1m',
        ({ s, k }: { s: string; k: { c: string } }) => void prices.set(s, k.c),
      ),
    ]
    goodbyes.push(() => open.map((endpoint: string) => client.terminate(endpoint, false)))
    await until(() => prices.size === 3)
    expect(Object.fromEntries([...prices].map(([name, text]) => [name, Number(text)]))).toEqual(LAST)
  })

  it('P20: binance reads market data and subscribes to streams', async () => {
    const client = new MainClient({ baseUrl: http, disableTimeSync: true })
    expect(await client.testConnectivity()).toEqual({})
    expect((await client.getExchangeInfo({ symbol: 'BTCUSDT' })).symbols).toHaveLength(1)
    expect(await client.get24hrChangeStatistics({ symbol: 'AAPL' })).toMatchObject({
      lastPrice: '249.85000000',
      closeTime: FRIDAY_CLOSE - 10_000,
    })
    expect(await client.getSymbolPriceTicker({ symbol: 'EURUSD' })).toEqual({ symbol: 'EURUSD', price: '1.08512000' })
    expect(await client.getRecentTrades({ symbol: 'BTCUSDT' })).toHaveLength(2)
    expect(await client.getAggregateTrades({ symbol: 'BTCUSDT' })).toHaveLength(2)
    expect(await client.getKlines({ symbol: 'EURUSD', interval: '1m' })).toHaveLength(1)
    await expect(client.get24hrChangeStatistics({ symbol: 'MOON' })).rejects.toMatchObject({
      code: -1121,
      message: 'Invalid symbol.',
    })
    await expect(client.getOrderBook({ symbol: 'BTCUSDT' })).rejects.toMatchObject({ code: -1020 })
    const prices = new Map<string, string>()
    const stream = new WebsocketClient({ wsUrl: `${sockets}/ws`, beautify: false }, SILENT)
    stream.on('message', (message) => {
      if ('e' in message && message.e === '24hrTicker') prices.set(message.s, String(message.c))
    })
    stream.on('exception', () => {})
    goodbyes.push(() => stream.closeAll(true))
    await come(
      stream.subscribe(
        names.map((name) => `${name.toLowerCase()}@ticker`),
        'main',
      ),
    )
    await until(() => prices.size === names.length)
    expect(Object.fromEntries([...prices].map(([name, text]) => [name, Number(text)]))).toEqual(LAST)
  })
})

describe('clients of Coinbase Exchange', () => {
  it("P20: ccxt reads and watches tickers and candles, and gets trades refused in the exchange's form", async () => {
    const exchange = new ccxt.pro.coinbaseexchange({
      urls: { api: { public: `${http}/api`, ws: `${sockets}/ws/ticker` } },
    })
    goodbyes.push(() => exchange.close())
    await exchange.loadHttpProxyAgent()
    const last = { 'BTC/USD': 95_000.34, 'AAPL/USD': 249.85, 'EUR/USD': 1.08512 }
    for (const [symbol, wanted] of Object.entries(last)) {
      const fetched = await exchange.fetchTicker(symbol)
      const watched = await come(exchange.watchTicker(symbol))
      expect([fetched.last, watched.last, watched.timestamp]).toEqual([wanted, wanted, fetched.timestamp])
      expect((await exchange.fetchOHLCV(symbol, '1m')).at(-1)?.[4]).toBe(wanted)
    }
    expect(await exchange.fetchTicker('BTC/USD', { method: 'publicGetProductsIdStats' })).toMatchObject({
      last: 95_000.34,
    })
    await expect(exchange.fetchTrades('BTC/USD')).rejects.toThrow('NotFound')
    await expect(exchange.fetchOHLCV('BTC/USD', '15m')).rejects.toThrow('Unsupported granularity')
  })

  it('P20: coinbase-pro-node reads market data and subscribes to channels', async () => {
    const client = new CoinbasePro({
      apiKey: '',
      apiSecret: '',
      passphrase: '',
      httpUrl: `${http}/api`,
      wsUrl: `${sockets}/ws/ticker`,
    })
    const { product, time, currency } = client.rest
    expect((await time.getTime()).epoch).toBe(app.ctx.now() / SECOND_MS)
    expect(await currency.listCurrencies()).toContainEqual({ id: 'AAPL', name: expect.any(String), status: 'online' })
    expect(await product.getProduct('AAPL-USD')).toMatchObject({ id: 'AAPL-USD', status: 'offline' })
    expect(await product.getProductTicker('BTC-USD')).toMatchObject({
      price: '95000.3400',
      trade_id: 3,
      size: '0.50000000',
    })
    expect(await product.getProductTicker('EUR-USD')).toMatchObject({
      price: '1.08512',
      trade_id: 0,
      time: '2026-03-20T19:30:00.000000Z',
    })
    expect(await product.getProductStats('BTC-USD')).toEqual({
      open: '94000.1200',
      high: '95000.3400',
      low: '94000.1200',
      last: '95000.3400',
      volume: '0.75000000',
    })
    const granularity = CandleGranularity.ONE_MINUTE
    expect(await product.getCandles('AAPL-USD', { granularity })).toMatchObject([
      { close: 249.85, volume: 1.5, openTimeInMillis: FRIDAY_CLOSE - MINUTE_MS },
    ])
    await expect(product.getProductTicker('MOON-USD')).rejects.toMatchObject({
      response: { status: 404, data: { message: 'NotFound' } },
    })
    await expect(product.getTrades('BTC-USD')).rejects.toMatchObject({
      response: { status: 404, data: { message: 'NotFound' } },
    })
    const prices = new Map<string, string>()
    client.ws.on(WebSocketEvent.ON_MESSAGE_TICKER, ({ product_id: id, price: text }) => void prices.set(id, text))
    const opened = new Promise((resolve) => client.ws.once(WebSocketEvent.ON_OPEN, () => resolve(null)))
    client.ws.connect()
    goodbyes.push(() => client.ws.disconnect())
    await come(opened)
    await come(
      client.ws.subscribe({ name: WebSocketChannelName.TICKER, product_ids: ['BTC-USD', 'AAPL-USD', 'EUR-USD'] }),
    )
    await until(() => prices.size === 3)
    expect(Object.fromEntries(prices)).toEqual({
      'BTC-USD': '95000.3400',
      'AAPL-USD': '249.8500',
      'EUR-USD': '1.08512',
    })
  })
})

describe("an unsupported address of the exchanges' calls", () => {
  it.each([
    ['GET', '/api/v3/depth?symbol=BTCUSDT', 404, -1020],
    ['POST', '/api/v3/order', 404, -1020],
    ['DELETE', '/api/v3/klines', 404, -1020],
    ['GET', '/api/v3/klines', 400, -1102],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1m&limit=0', 400, -1100],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=1e3', 400, -1100],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=%201', 400, -1100],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&symbol=AAPL&interval=1m', 400, -1101],
    ['GET', '/api/v3/klines?symbol=BTC&interval=1m', 400, -1121],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1d&timeZone=8', 400, -1130],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1h&timeZone=05:45', 400, -1130],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1m&timeZone=14:01', 400, -1100],
    ['GET', '/api/v3/klines?symbol=BTCUSDT&interval=1m&timeZone=Asia/Tokyo', 400, -1100],
    ['GET', '/api/v3/exchangeInfo?permissions=SPOT', 400, -1130],
    ['GET', '/api/v3/exchangeInfo?showPermissionSets=7', 400, -1100],
    ['GET', '/api/v3/exchangeInfo?symbolStatus=OPEN', 400, -1100],
    ['GET', '/api/v3/exchangeInfo?symbolStatus=BREAK&symbol=BTCUSDT', 400, -1128],
    ['GET', '/api/v3/ticker/price?symbolStatus=BREAK&symbol=BTCUSDT', 400, -1220],
    ['GET', '/api/v3/ticker/24hr?symbolStatus=HALT&symbol=BTCUSDT', 400, -1220],
    ['GET', '/api/v3/ticker/24hr?symbol=', 400, -1102],
    ['GET', '/api/v3/ticker/24hr?symbols=BTCUSDT', 400, -1100],
    ['GET', '/api/v3/ticker/24hr?symbols=%5B%22MOON%22%5D', 400, -1121],
    ['GET', '/api/v3/ticker/24hr?symbol=AAPL&symbols=%5B%22AAPL%22%5D', 400, -1128],
    ['GET', '/api/v3/ticker/price?symbol=%00', 400, -1121],
    ['GET', '/api/v3/trades?symbol=MOON', 400, -1121],
    ['GET', '/api/v3/aggTrades?symbol=BTCUSDT&fromId=1&startTime=1', 400, -1128],
    ['GET', '/api/v3/%zz', 404, -1020],
  ] as const)('P20: %s %s is answered in the form of Binance', async (method, url, status, code) => {
    const reply = await app.http.inject({ method, url })
    expect([reply.statusCode, reply.json()]).toEqual([status, { code, msg: expect.any(String) }])
    expect(reply.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['/api/products/MOON-USD', 404],
    ['/api/products/BTC-USD/book', 404],
    ['/api/products/BTC-USD/candles?granularity=7', 400],
    ['/api/products/BTC-USD/candles?granularity=60&start=yesterday', 400],
    ['/api/products/BTC-USD/candles?granularity=60&start=2020-01-01T00:00:00Z', 400],
    ['/api/products/AUD-USD/ticker', 503],
  ] as const)('P20: %s is answered in the form of Coinbase', async (url, status) => {
    const reply = await app.http.inject({ url })
    expect([reply.statusCode, reply.json()]).toEqual([status, { message: expect.any(String) }])
  })
})

describe('P9: documented parameters of the exchanges’ calls', () => {
  const ask = async (url: string) => (await app.http.inject({ url })).json<unknown>()

  it.each([
    ['1m', '05:45'],
    ['1h', '8'],
    ['1h', '-1:00'],
    ['1d', '0'],
  ])('candles of %s are the same in the zone %s as in UTC', async (interval, zone) => {
    const url = `/api/v3/klines?symbol=BTCUSDT&interval=${interval}`
    const rows = await ask(url)
    expect(rows).not.toEqual([])
    expect(await ask(`${url}&timeZone=${zone}`)).toEqual(rows)
  })

  it.each(['0', String(Date.UTC(2010, 0)), String(FRIDAY_CLOSE - 30 * 86_400_000)])(
    'the first candle since %s is found, however long before it the time lies',
    async (start) => {
      const openTime = FRIDAY_CLOSE - MINUTE_MS
      const url = '/api/v3/klines?symbol=AAPL&interval=1m&limit=1&startTime='
      const rows = (await ask(`${url}${start}`)) as unknown[][]
      expect(rows.map(([first]) => first)).toEqual([openTime])
      expect(await ask(`${url}${start}&endTime=${openTime - 1}`)).toEqual([])
    },
  )

  it('filter symbols by status, open or closed', async () => {
    const named = async (status: string) => {
      const { symbols } = (await ask(`/api/v3/exchangeInfo?symbolStatus=${status}`)) as {
        symbols: { symbol: string; status: string }[]
      }
      expect(symbols.filter((symbol) => symbol.status !== status)).toEqual([])
      return symbols.map(({ symbol }) => symbol)
    }
    expect(await named('TRADING')).toContain('BTCUSDT')
    expect(await named('BREAK')).toContain('AAPL')
    expect(await named('HALT')).toEqual([])
    const prices = (await ask('/api/v3/ticker/price?symbolStatus=TRADING')) as { symbol: string }[]
    expect(prices.map(({ symbol }) => symbol)).toContain('BTCUSDT')
    expect(prices.map(({ symbol }) => symbol)).not.toContain('AAPL')
  })

  it('accept start and end of candles as Python formats times', async () => {
    const at = FRIDAY_CLOSE - MINUTE_MS
    const [day = '', time = ''] = new Date(at).toISOString().slice(0, -5).split('T')
    const east = new Date(at + 2 * 3_600_000).toISOString().slice(0, -5)
    const candles = (start: string, end: string) =>
      ask(`/api/products/AAPL-USD/candles?granularity=60&start=${start}&end=${end}`)
    const rows = await candles(String(at / 1_000), String(at / 1_000))
    expect(rows).toEqual([[at / 1_000, 249.85, 249.85, 249.85, 249.85, 1.5]])
    for (const text of [
      `${day}T${time}`,
      `${day}T${time}Z`,
      `${day}T${time}.000123`,
      `${day}T${time}+00:00`,
      `${day}T${time}.000000%2B00:00`,
      `${east}%2B02:00`,
      `${east}%2B0200`,
      `${day}T${time.slice(0, 5)}`,
      `${day}%20${time}`,
    ])
      expect([text, await candles(text, text)]).toEqual([text, rows])
    expect(await candles(day, day)).toEqual([])
    expect(await candles(day, String(at / 1_000))).toEqual({ message: expect.any(String) })
    for (const text of ['2026-02-30', '2026-03-20T24:00', '2026-03-20T12:00+24:00', '2026-03-20T12', 'yesterday'])
      expect([text, await candles(text, text)]).toEqual([text, { message: expect.any(String) }])
  })
})

it('P20: binance-api-node, node-binance-api and binance receive every tick as a trade', async () => {
  const prices = new Map<string, string>()
  const one = createBinanceApiNode({ httpBase: http, wsBase: `${sockets}/ws` })
  const other = new NodeBinanceApi({ urls: { stream: `${sockets}/ws/` }, log: () => {} })
  const third = new WebsocketClient({ wsUrl: sockets, beautify: false }, SILENT)
  third.on('message', (message) => {
    if ('e' in message && message.e === 'trade') prices.set('binance', String(message.p))
    if ('e' in message && message.e === 'kline') prices.set('binance candle', String(message.k.c))
  })
  third.on('exception', () => {})
  const endpoint: string = other.tradesStream(
    'BTCUSDT',
    ({ p }: { p: string }) => void prices.set('node-binance-api', p),
  )
  goodbyes.push(
    one.ws.trades('BTCUSDT', ({ price: text }) => void prices.set('binance-api-node', text)),
    () => other.terminate(endpoint, false),
    () => third.closeAll(true),
  )
  await come(third.subscribe(['btcusdt@trade', 'btcusdt@kline_1m'], 'main'))
  await until(() => {
    feed.tick(BTC, 9_600_000, app.ctx.now())
    return prices.size === 4 && prices.get('binance candle') === '96000.00000000'
  })
  expect(new Set(prices.values())).toEqual(new Set(['96000.00000000']))
})
