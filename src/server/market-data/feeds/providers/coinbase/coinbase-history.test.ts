import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { AdvancedHistory } from '#server/market-data/feeds/providers/coinbase/advanced-history.ts'
import { ExchangeHistory } from '#server/market-data/feeds/providers/coinbase/exchange-history.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { exchangeWire } from '#test/support/providers/coinbase-wire.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const [BARS = ''] = readWire('coinbase-exchange-rest-candles-20180201.jsonl')
const FIRST = 1_517_443_200_000

let server: ProviderServer

beforeEach(async () => {
  server = await ProviderServer.start(exchangeWire({ unknown: new Set(), bars: BARS }))
})

afterEach(async () => {
  await server.stop()
})

function exchange(now = FIRST + DAY_MS): ExchangeHistory {
  return new ExchangeHistory(server.restUrl, { clock: new FakeClock(now) }, { betweenCallsMs: 0 })
}

test('requests bars by the opening of the first bar and of the last bar', async () => {
  // The response includes one-minute bars, which must be rejected.
  const reply = exchange().candles({
    symbol: 'BTC-USD',
    interval: '5m',
    from: instant(FIRST + 1),
    before: instant(FIRST + HOUR_MS + 1),
  })
  await expect(reply).rejects.toMatchObject({ name: 'ProviderError' })
  expect(server.calls).toEqual([
    '/products/BTC-USD/candles?granularity=300&start=2018-02-01T00%3A05%3A00.000Z&end=2018-02-01T01%3A00%3A00.000Z',
  ])
})

test('never requests more than 300 bars, which Coinbase would refuse', async () => {
  const query = { symbol: 'BTC-USD', interval: '1m', from: instant(FIRST), before: instant(FIRST + DAY_MS) } as const
  await exchange().candles(query)
  expect(server.calls[0]).toContain('start=2018-02-01T00%3A00%3A00.000Z&end=2018-02-01T04%3A59%3A00.000Z')
})

test('makes no call when no bar opens in the range', async () => {
  const from = instant(FIRST + 1)
  expect(
    await exchange().candles({ symbol: 'BTC-USD', interval: '1d', from, before: instant(FIRST + HOUR_MS) }),
  ).toEqual([])
  expect(server.calls).toEqual([])
})

test('sorts the recorded reply in ascending order, and drops the open bar', async () => {
  const query = { symbol: 'BTC-USD', interval: '1m', from: instant(FIRST), before: instant(FIRST + DAY_MS) } as const
  const bars = await exchange(FIRST + 9 * MINUTE_MS + 30_000).candles(query)
  expect(bars).toHaveLength(9)
  expect(bars[0]).toEqual({
    openTime: FIRST,
    open: '10099.99',
    high: '10099.99',
    low: '10099.98',
    close: '10099.98',
    volume: '1.87868123',
  })
})

test('offers 30-minute bars on Advanced Trade, but not on Exchange', () => {
  const tools = { clock: new FakeClock(FIRST) }
  expect(exchange().intervals).toEqual(['1m', '5m', '1h', '1d'])
  expect(new AdvancedHistory(server.restUrl, tools).intervals).toContain('30m')
})

test('requests Advanced Trade bars in seconds, with its names of intervals', async () => {
  const history = new AdvancedHistory(server.restUrl, { clock: new FakeClock(FIRST + DAY_MS) }, { betweenCallsMs: 0 })
  const query = { symbol: 'BTC-USD', interval: '30m', from: instant(FIRST), before: instant(FIRST + HOUR_MS) } as const
  // The reply comes from the other service, so it has an invalid form.
  await expect(history.candles(query)).rejects.toMatchObject({ name: 'ProviderError', retry: true })
  expect(server.calls).toEqual([
    '/api/v3/brokerage/market/products/BTC-USD/candles?granularity=THIRTY_MINUTE&start=1517443200&end=1517445000',
  ])
})

test.each([
  ['open', (bar: object) => ({ ...bar, open: 2 })],
  ['time', (bar: object) => ({ ...bar, start: FIRST / 1_000 + 60 })],
])('P6: Advanced Trade sends text: treats a bar as unknown when %s is a number', async (_, change) => {
  const bar = (minute: number) => ({
    start: String(FIRST / 1_000 + minute * 60),
    low: '1',
    high: '3',
    open: '2',
    close: '2',
    volume: '5',
  })
  const wire = exchangeWire({ unknown: new Set(), bars: '' })
  const body = JSON.stringify({ candles: [bar(2), change(bar(1)), bar(0)] })
  const other = await ProviderServer.start({ ...wire, answer: () => ({ status: 200, body }) })
  try {
    const history = new AdvancedHistory(other.restUrl, { clock: new FakeClock(FIRST + DAY_MS) }, { betweenCallsMs: 0 })
    const before = instant(FIRST + 3 * MINUTE_MS)
    const query = { symbol: 'BTC-USD', interval: '1m', from: instant(FIRST), before } as const
    await expect(history.candles(query)).rejects.toMatchObject({ name: 'PartialBars', unread: [FIRST + MINUTE_MS] })
  } finally {
    await other.stop()
  }
})

test('P6: Exchange sends numbers: treats a bar as unknown when open is text', async () => {
  const row = (minute: number, open: unknown) => [FIRST / 1_000 + minute * 60, 1, 3, open, 2, 5]
  const wire = exchangeWire({ unknown: new Set(), bars: JSON.stringify([row(2, 2), row(1, '2'), row(0, 2)]) })
  const other = await ProviderServer.start(wire)
  try {
    const tools = { clock: new FakeClock(FIRST + DAY_MS) }
    const history = new ExchangeHistory(other.restUrl, tools, { betweenCallsMs: 0 })
    const before = instant(FIRST + 3 * MINUTE_MS)
    const query = { symbol: 'BTC-USD', interval: '1m', from: instant(FIRST), before } as const
    await expect(history.candles(query)).rejects.toMatchObject({ name: 'PartialBars', unread: [FIRST + MINUTE_MS] })
  } finally {
    await other.stop()
  }
})
