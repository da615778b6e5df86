import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KlineMessage } from '#contract/live/candle-socket.ts'
import { TickerSocketOut } from '#contract/live/ticker-socket.ts'
import { HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { type LiveBench, openLiveBench, type TestSocket } from '#test/support/socket-harness.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let bench: LiveBench
beforeEach(async () => {
  bench = await openLiveBench(database)
})
afterEach(() => bench.close())

it('SO7: sends the current candle, each change, and each closed candle exactly once before the next', async () => {
  await bench.priced(BTC.id, 100_00)
  const socket = await bench.connect('/ws/BTCUSDT@kline_1m')
  await bench.until(() => socket.messages.length > 0)
  expect(socket.messages[0]).toMatchObject({
    e: 'kline',
    s: 'BTCUSDT',
    k: {
      t: TEST_START,
      T: TEST_START + MINUTE_MS - 1,
      s: 'BTCUSDT',
      i: '1m',
      o: '100.00000000',
      c: '100.00000000',
      x: false,
    },
  })
  await bench.priced(BTC.id, 90_00)
  await bench.until(() => socket.messages.at(-1)?.k?.c === '90.00000000')
  expect(socket.messages.at(-1)?.k).toMatchObject({ o: '100.00000000', h: '100.00000000', l: '90.00000000' })
  bench.ctx.clock.advance(MINUTE_MS)
  await bench.priced(BTC.id, 95_00)
  await bench.until(() => socket.messages.at(-1)?.k?.o === '95.00000000')
  await bench.priced(BTC.id, 96_00)
  await bench.until(() => socket.messages.at(-1)?.k?.c === '96.00000000')
  const closed = socket.messages.filter(({ k }) => k?.x)
  expect(closed).toHaveLength(1)
  expect(closed[0]?.k).toMatchObject({ t: TEST_START, c: '90.00000000' })
  const opens = socket.messages.map(({ k }) => k?.t ?? 0)
  expect(opens).toEqual(opens.toSorted((a, b) => a - b))
  expect(socket.messages.findIndex(({ k }) => k?.x)).toBe(opens.lastIndexOf(TEST_START))
  for (const frame of socket.frames) expect(KlineMessage.safeParse(JSON.parse(frame)).error).toBeUndefined()
})

it('sends a candle at most every 250 ms, in its newest state', async () => {
  await bench.priced(AAPL.id, 100)
  const socket = await bench.connect('/ws/aapl@kline_5m')
  await bench.until(() => socket.messages.length > 0)
  const began = bench.ctx.now()
  for (let units = 101; units <= 120; units += 1) await bench.priced(AAPL.id, units)
  await bench.until(() => socket.messages.at(-1)?.k?.c === '1.20000000')
  expect(socket.messages.length).toBeLessThanOrEqual((bench.ctx.now() - began) / 250 + 2)
})

it('SO8: serves the ticker channel: acknowledges, sends prices and heartbeats, and refuses unknown messages', async () => {
  await bench.priced(BTC.id, 100_00)
  const socket = await bench.connect('/ws/ticker')
  socket.say({ type: 'subscribe', product_ids: ['BTC-USD', 'AAPL-USD'], channels: ['ticker', 'heartbeat'] })
  await bench.until(() => socket.typed('ticker').length > 0)
  const products = ['BTC-USD', 'AAPL-USD']
  expect(socket.messages[0]).toEqual({
    type: 'subscriptions',
    channels: [
      { name: 'ticker', product_ids: products },
      { name: 'heartbeat', product_ids: products },
    ],
  })
  expect(socket.typed('ticker')[0]).toEqual({
    type: 'ticker',
    sequence: 1,
    product_id: 'BTC-USD',
    price: '100.0000',
    open_24h: '100.0000',
    volume_24h: '0.00000000',
    low_24h: '100.0000',
    high_24h: '100.0000',
    time: new Date(bench.ticks.latest(BTC.id)?.time ?? 0).toISOString().replace('Z', '000Z'),
    trade_id: 1,
    last_size: '0.00000000',
  })
  await bench.priced(BTC.id, 120_00)
  await bench.until(() => socket.typed('ticker').at(-1)?.price === '120.0000' && socket.typed('heartbeat').length > 0)
  expect(socket.typed('ticker').at(-1)).toMatchObject({ open_24h: '100.0000', high_24h: '120.0000', sequence: 2 })
  socket.say({ type: 'subscribe', product_ids: ['MOON-USD'], channels: ['ticker'] })
  await bench.until(() => socket.typed('error').length > 0)
  expect(socket.typed('error')[0]?.reason).toContain('MOON-USD')
  socket.say({ type: 'unsubscribe', product_ids: products, channels: ['ticker', 'heartbeat'] })
  await bench.until(() => socket.typed('subscriptions').length === 2)
  expect(socket.typed('subscriptions')[1]?.channels).toEqual([])
  socket.say({ type: 'subscribe', product_ids: products, channels: ['ticker', 'heartbeat'] })
  socket.say({ type: 'unsubscribe', channels: ['heartbeat', { name: 'ticker', product_ids: [] }] })
  await bench.until(() => socket.typed('subscriptions').length === 4)
  expect(socket.typed('subscriptions')[2]?.channels).toHaveLength(2)
  expect(socket.typed('subscriptions')[3]?.channels).toEqual([])
  for (const frame of socket.frames) expect(TickerSocketOut.safeParse(JSON.parse(frame)).error).toBeUndefined()
})

/** Each way to receive the newest price: name, address, request, and the price in the first reply. */
const WAYS: readonly [name: string, path: string, ask: object | null, price: (socket: TestSocket) => unknown][] = [
  [
    'the app socket',
    '/ws/app',
    { action: 'subscribe' },
    ({ messages }) => messages.find(({ s }) => s === 'BTCUSDT')?.c,
  ],
  [
    'the app socket of one symbol',
    '/ws/app',
    { action: 'watch', symbols: ['BTC'] },
    ({ messages }) => messages.find(({ s }) => s === 'BTCUSDT')?.c,
  ],
  [
    'every tick',
    '/ws/app',
    { action: 'watch', symbols: ['BTC'], every: true },
    ({ messages }) => messages.find(({ s }) => s === 'BTCUSDT')?.c,
  ],
  [
    'the ticker channel',
    '/ws/ticker',
    { type: 'subscribe', product_ids: ['BTC-USD'] },
    (socket) => numberOf(socket.typed('ticker')[0]?.price),
  ],
  ['@ticker', '/ws/btcusdt@ticker', null, ({ messages }) => numberOf(messages[0]?.c)],
  ['@miniTicker', '/stream?streams=btcusdt@miniTicker', null, ({ messages }) => numberOf(messages[0]?.data?.['c'])],
  ['@kline_1m', '/ws/btcusdt@kline_1m', null, ({ messages }) => numberOf(messages[0]?.k?.c)],
]

function numberOf(text: unknown): number | undefined {
  return text === undefined ? undefined : Number(text)
}

describe('the first message', () => {
  it.each(WAYS)(
    'P8: of %s is the newest price, even when no client was connected at its tick',
    async (_, path, ask, price) => {
      const first = async () => {
        const socket = await bench.connect(path)
        if (ask !== null) socket.say(ask)
        await bench.until(() => price(socket) !== undefined)
        const found = price(socket)
        socket.ws.close()
        await bench.until(() => socket.closed !== null && bench.live.load().sockets === 0)
        return found
      }
      await bench.priced(BTC.id, 100_00)
      expect(await first()).toBe(100)
      await bench.priced(BTC.id, 120_00)
      bench.ctx.clock.advance(25_000)
      expect(await first()).toBe(120)
      await bench.priced(BTC.id, 130_00)
      expect(await first()).toBe(130)
    },
  )

  it('P8: of the ticker channel computes 24-hour figures as of now, without a newer price', async () => {
    await bench.priced(BTC.id, 100_00)
    await bench.priced(BTC.id, 120_00)
    const ask = { type: 'subscribe', product_ids: ['BTC-USD'] }
    const one = await bench.connect('/ws/ticker')
    one.say(ask)
    await bench.until(() => one.typed('ticker').length > 0)
    expect(one.typed('ticker')[0]).toMatchObject({ open_24h: '100.0000', low_24h: '100.0000' })
    bench.ctx.clock.jump(25 * HOUR_MS)
    const other = await bench.connect('/ws/ticker')
    other.say(ask)
    await bench.until(() => other.typed('ticker').length > 0)
    expect(other.typed('ticker')[0]).toMatchObject({ price: '120.0000', open_24h: '120.0000', low_24h: '120.0000' })
  })
})
