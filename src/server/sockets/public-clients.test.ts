import binanceConnector from '@binance/connector'
import ccxt from 'ccxt'
import { CoinbasePro, WebSocketChannelName, WebSocketEvent } from 'coinbase-pro-node'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { MINUTE_MS } from '#core/time/instant.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

/**
 * These tests run third-party clients of the exchanges, in their published versions, with only our address configured.
 * Their output must match our tick log.
 */
const BTC = 1
const POLL = { interval: 5 }
const { Spot, WebsocketStream } = binanceConnector

const database = useTestDatabase()
let app: TestApp
let http: string
let sockets: string
const goodbyes: (() => unknown)[] = []
beforeEach(async () => {
  app = await createTestApp(database)
  http = await app.start()
  sockets = http.replace('http', 'ws')
  await speak(9_400_012, 250_000)
})
afterEach(async () => {
  for (const goodbye of goodbyes.splice(0)) await goodbye()
  await app.stop()
})

/** Sends a price and waits until it is committed. */
async function speak(units: number, volume = 0): Promise<void> {
  const time = app.ctx.now()
  app.feed.tick(BTC, units, time, volume)
  await until(() => app.ticks.latest(BTC)?.price === units && app.ticks.latest(BTC)?.time === time)
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

const SILENT = { info() {}, warn() {}, error() {}, debug() {}, log() {} }

it('SO9: the official Binance connector reads candles, tickers and history, over one stream or several', async () => {
  const messages: { stream?: string; data?: unknown; [field: string]: unknown }[] = []
  const message = (text: string) => void messages.push(JSON.parse(text) as (typeof messages)[number])
  const one = new WebsocketStream({ wsURL: sockets, logger: SILENT, callbacks: { message } })
  goodbyes.push(() => one.disconnect())
  one.kline('BTCUSDT', '1m')
  await until(() => messages.length > 0)
  expect(messages[0]).toMatchObject({
    e: 'kline',
    s: 'BTCUSDT',
    k: { t: TEST_START, o: '94000.12000000', c: '94000.12000000', v: '0.25000000', x: false },
  })
  await speak(9_500_034, 500_000)
  await until(() => messages.length > 1)
  expect(messages.at(-1)).toMatchObject({ k: { h: '95000.34000000', c: '95000.34000000', v: '0.75000000' } })
  one.subscribe(['btcusdt@ticker', 'btcusdt@trade'])
  await until(() => messages.some(({ e }) => e === '24hrTicker'))
  expect(messages).toContainEqual({ result: null, id: expect.any(Number) })
  expect(messages.find(({ e }) => e === '24hrTicker')).toMatchObject({
    c: '95000.34000000',
    o: '94000.12000000',
    p: '1000.22000000',
    P: '1.064',
    v: '0.75000000',
    Q: '0.50000000',
    L: 2,
  })
  await speak(9_500_035)
  await until(() => messages.some(({ e }) => e === 'trade'))
  expect(messages.find(({ e }) => e === 'trade')).toMatchObject({
    t: 3,
    p: '95000.35000000',
    T: app.ticks.latest(BTC)?.time,
  })

  const combined: typeof messages = []
  const both = new WebsocketStream({
    wsURL: sockets,
    combinedStreams: true,
    logger: SILENT,
    callbacks: { message: (text) => void combined.push(JSON.parse(text) as (typeof messages)[number]) },
  })
  goodbyes.push(() => both.disconnect())
  both.subscribe(['btcusdt@miniTicker', 'btcusdt@kline_5m'])
  await until(() => combined.length >= 2)
  expect(combined.map(({ stream }) => stream)).toEqual(['btcusdt@miniTicker', 'btcusdt@kline_5m'])
  expect(combined[0]?.data).toMatchObject({ e: '24hrMiniTicker', c: '95000.35000000', h: '95000.35000000' })

  const rest = new Spot('', '', { baseURL: http })
  expect((await rest.time()).data.serverTime).toBe(app.ctx.now())
  const { data } = await rest.klines('BTCUSDT', '1m', { limit: 1 })
  expect(data).toEqual([
    [
      TEST_START,
      '94000.12000000',
      '95000.35000000',
      '94000.12000000',
      '95000.35000000',
      '0.75000000',
      TEST_START + MINUTE_MS - 1,
      '0.00000000',
      0,
      '0.00000000',
      '0.00000000',
      '0',
    ],
  ])
})

it('SO9: ccxt loads our markets as Binance markets, and watches candles, tickers and trades', async () => {
  const exchange = new ccxt.pro.binance({
    options: { defaultType: 'spot', fetchMarkets: { types: ['spot'] } },
    urls: { api: { public: `${http}/api/v3`, ws: { spot: `${sockets}/ws` } } },
  })
  goodbyes.push(() => exchange.close())
  // ccxt requires this call for sockets without TLS.
  await exchange.loadHttpProxyAgent()
  const markets = await exchange.loadMarkets()
  expect(Object.keys(markets)).toEqual(expect.arrayContaining(['BTC/USDT', 'AAPL/USD', 'EUR/USD']))
  expect(markets['BTC/USDT']).toMatchObject({ active: true, precision: { price: 0.01 } })
  expect(await come(exchange.watchOHLCV('BTC/USDT', '1m'))).toEqual([
    [TEST_START, 94_000.12, 94_000.12, 94_000.12, 94_000.12, 0.25],
  ])
  const next = exchange.watchOHLCV('BTC/USDT', '1m')
  await speak(9_500_034, 500_000)
  expect((await come(next)).at(-1)).toEqual([TEST_START, 94_000.12, 95_000.34, 94_000.12, 95_000.34, 0.75])
  const ticker = await come(exchange.watchTicker('BTC/USDT'))
  expect(ticker).toMatchObject({
    symbol: 'BTC/USDT',
    last: 95_000.34,
    open: 94_000.12,
    high: 95_000.34,
    low: 94_000.12,
    baseVolume: 0.75,
  })
  const trades = exchange.watchTrades('BTC/USDT', undefined, undefined, { name: 'trade' })
  const telling = setInterval(() => app.feed.tick(BTC, 9_500_040, app.ctx.now()), 20)
  goodbyes.push(() => clearInterval(telling))
  const [trade] = await come(trades)
  expect(trade).toMatchObject({ price: 95_000.4, symbol: 'BTC/USDT' })
  expect(trade?.side, 'a tick does not say which side took').toBeUndefined()
  expect(await exchange.fetchOHLCV('BTC/USDT', '1m', undefined, 1)).toEqual([
    [TEST_START, 94_000.12, 95_000.4, 94_000.12, 95_000.4, 0.75],
  ])
})

it('SO9: ccxt reads the ticker channel as that of Coinbase', async () => {
  const exchange = new ccxt.pro.coinbaseexchange({
    urls: { api: { public: `${http}/api`, ws: `${sockets}/ws/ticker` } },
  })
  goodbyes.push(() => exchange.close())
  await exchange.loadHttpProxyAgent()
  const ticker = await come(exchange.watchTicker('BTC/USD'))
  expect(ticker).toMatchObject({
    symbol: 'BTC/USD',
    last: 94_000.12,
    open: 94_000.12,
    baseVolume: 0.25,
    timestamp: app.ticks.latest(BTC)?.time,
  })
  expect(Object.keys(exchange.markets ?? {})).toEqual(expect.arrayContaining(['AAPL/USD', 'EUR/USD']))
})

it('SO9: coinbase-pro-node subscribes and receives tickers and heartbeats', async () => {
  const client = new CoinbasePro({
    apiKey: '',
    apiSecret: '',
    passphrase: '',
    httpUrl: `${http}/api`,
    wsUrl: `${sockets}/ws/ticker`,
  })
  const messages: unknown[] = []
  client.ws.on(WebSocketEvent.ON_MESSAGE, (message) => void messages.push(message))
  const opened = new Promise((resolve) => client.ws.once(WebSocketEvent.ON_OPEN, () => resolve(null)))
  client.ws.connect()
  goodbyes.push(() => client.ws.disconnect())
  await come(opened)
  const names = [WebSocketChannelName.TICKER, WebSocketChannelName.HEARTBEAT]
  await come(client.ws.subscribe(names.map((name) => ({ name, product_ids: ['BTC-USD'] }))))
  await until(() => messages.length >= 3)
  expect(messages[0]).toMatchObject({ type: 'subscriptions' })
  expect(messages).toContainEqual(
    expect.objectContaining({
      type: 'ticker',
      product_id: 'BTC-USD',
      price: '94000.1200',
      trade_id: 1,
      last_size: '0.25000000',
    }),
  )
  expect(messages).toContainEqual(expect.objectContaining({ type: 'heartbeat', last_trade_id: 1 }))
  expect(await client.rest.product.getProducts()).toContainEqual(
    expect.objectContaining({ id: 'BTC-USD', quote_increment: '0.01000000' }),
  )
})
