import { afterEach, beforeEach, expect, it, test } from 'vitest'
import { DAY_MS, HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import { FinnhubHistory, readFinnhubRefusal } from '#server/market-data/feeds/providers/finnhub/finnhub-history.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { finnhubWire } from '#test/support/providers/finnhub-wire.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const [MINUTES = '', DAYS = '', NONE = ''] = readWire('finnhub-rest-candle.jsonl')
const ERRORS = readWire('finnhub-rest-errors.jsonl')
const MINUTE = 1_572_910_200_000

let server: ProviderServer
let bars = MINUTES

beforeEach(async () => {
  bars = MINUTES
  const wire = finnhubWire({ unknown: new Set(), bars: '' })
  server = await ProviderServer.start({ ...wire, answer: () => ({ status: 200, body: bars }) })
})

afterEach(async () => {
  await server.stop()
})

function ask(symbol: string, interval: '1m' | '5m' | '30m' | '1h' | '1d', from: number, before: number) {
  const history = new FinnhubHistory({ url: server.restUrl, key: 'k3y' }, { clock: systemClock }, { betweenCallsMs: 0 })
  return history.candles({ symbol, interval, from: instant(from), before: instant(before) })
}

it.each([
  ['AAPL', '1m', '/stock/candle?symbol=AAPL&resolution=1'],
  ['OANDA:EUR_USD', '5m', '/forex/candle?symbol=OANDA%3AEUR_USD&resolution=5'],
  ['IC MARKETS:1', '30m', '/forex/candle?symbol=IC+MARKETS%3A1&resolution=30'],
  ['BINANCE:BTCUSDT', '1h', '/crypto/candle?symbol=BINANCE%3ABTCUSDT&resolution=60'],
  ['BRK.B', '1d', '/stock/candle?symbol=BRK.B&resolution=D'],
] as const)('requests bars of %s in seconds, without the key in the address', async (symbol, interval, path) => {
  bars = NONE
  await ask(symbol, interval, DAY_MS, 2 * DAY_MS)
  expect(server.calls).toHaveLength(1)
  expect(server.calls[0]).toMatch(new RegExp(`^${path.replaceAll(/[?+.]/g, String.raw`\$&`)}&from=86400&to=\\d+$`))
  expect(server.calls[0]).not.toContain('k3y')
})

test('returns no bars for no data', async () => {
  bars = NONE
  expect(await ask('AAPL', '1m', MINUTE, MINUTE + HOUR_MS)).toEqual([])
})

test('leaves out minutes without a trade', async () => {
  const candles = await ask('AAPL', '1m', MINUTE, MINUTE + HOUR_MS)
  expect(candles.map(({ openTime }) => (openTime - MINUTE) / MINUTE_MS)).toEqual([0, 1, 4, 5, 6])
})

test('begins daily bars at midnight UTC', async () => {
  bars = DAYS
  const candles = await ask('AAPL', '1d', 1_688_515_200_000, 1_688_515_200_000 + 7 * DAY_MS)
  expect(candles.map(({ close, volume }) => [close, volume])).toEqual([
    ['191.33', '46920261'],
    ['191.81', '45156009'],
  ])
})

test('leaves out bars that do not begin at the start of an interval', async () => {
  expect(await ask('AAPL', '1h', MINUTE - HOUR_MS, MINUTE + DAY_MS)).toEqual([])
})

test('requests at most its maximum number of bars per call', async () => {
  bars = NONE
  await ask('AAPL', '1m', 0, 10 * DAY_MS)
  expect(server.calls[0]).toMatch(/&from=0&to=35999$/)
})

test('rejects lists of different lengths', async () => {
  bars = MINUTES.replace('257.2,', '')
  await expect(ask('AAPL', '1m', MINUTE, MINUTE + HOUR_MS)).rejects.toMatchObject({ retry: true })
})

test("reports the recorded errors as final refusals, with Finnhub's text", () => {
  const [forbidden, , wrongKey, noKey] = ERRORS.map((text) => JSON.parse(text) as unknown)
  expect([
    readFinnhubRefusal(403, forbidden),
    readFinnhubRefusal(401, wrongKey),
    readFinnhubRefusal(401, noKey),
  ]).toMatchObject([
    { message: "Finnhub refused it: You don't have access to this resource.", retry: false },
    { message: 'Finnhub refused it: Invalid API key.', retry: false },
    { message: 'Finnhub refused it: Please use an API key.', retry: false },
  ])
})

it.each([
  [403, ERRORS[0] ?? '', false],
  [429, ERRORS[1] ?? '', true],
  [401, ERRORS[2] ?? '', false],
])('HTTP %i %s: allows a retry: %s', async (status, body, retry) => {
  const wire = finnhubWire({ unknown: new Set(), bars: '' })
  const refusing = await ProviderServer.start({ ...wire, answer: () => ({ status, body }) })
  const history = new FinnhubHistory({ url: refusing.restUrl, key: 'k3y' }, { clock: systemClock })
  const query = { symbol: 'AAPL', interval: '1m', from: instant(0), before: instant(MINUTE_MS) } as const
  await expect(history.candles(query)).rejects.toMatchObject({ name: 'ProviderError', retry })
  history.stop()
  await refusing.stop()
})

test('P6: treats a bar with a price as text as unknown, because prices are numbers', async () => {
  const at = MINUTE / 1_000
  bars = JSON.stringify({ s: 'ok', t: [at, at + 60], o: [2, '2'], h: [3, 3], l: [1, 1], c: [2, 2], v: [5, 5] })
  await expect(ask('AAPL', '1m', MINUTE, MINUTE + 2 * MINUTE_MS)).rejects.toMatchObject({
    name: 'PartialBars',
    unread: [MINUTE + MINUTE_MS],
  })
})

test('P8: removes the key from the error when a reply repeats it', async () => {
  const wire = finnhubWire({ unknown: new Set(), bars: '' })
  const body = '{"error":"Invalid API key SECRETKEY"}'
  const other = await ProviderServer.start({ ...wire, answer: () => ({ status: 401, body }) })
  const address = { url: other.restUrl, key: 'SECRETKEY' }
  try {
    const history = new FinnhubHistory(address, { clock: systemClock }, { betweenCallsMs: 0 })
    const query = { symbol: 'AAPL', interval: '1m', from: instant(MINUTE), before: instant(MINUTE + HOUR_MS) } as const
    const error = await history.candles(query).catch((thrown: unknown) => thrown)
    expect(String(error)).toContain('Invalid API key …')
    expect((error as Error).stack).not.toContain('SECRETKEY')
  } finally {
    await other.stop()
  }
})
