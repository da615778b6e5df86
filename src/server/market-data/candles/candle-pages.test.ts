import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import { candlePageAt, candlePageSpan } from '#core/markets/candle-page.ts'
import { CATALOGUE } from '#core/markets/catalogue.ts'
import { CHART_INTERVALS, type ChartInterval } from '#core/time/chart-interval.ts'
import { type Feed, type HistoryRange, PartialHistory } from '#server/market-data/feeds/base/feed.ts'
import { createSyntheticFeed } from '#server/market-data/feeds/synthetic/synthetic-feed.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { createTestApp, type TestApp } from '#test/support/test-app.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })
let app: TestApp
let address: string
let notifyHistoryChanged: ((stretch: HistoryRange) => void) | null = null
let historyCalls = 0
/** While true, the source of the history does not reply. */
let isSourceDown = false

/**
 * Creates a feed of the simulated market whose history can change. The test reports a change with
 * `notifyHistoryChanged`.
 */
function feedWithPast(): Feed {
  const synthetic = createSyntheticFeed({ clock: new FakeClock(TEST_START), seed: 'pages', symbols: CATALOGUE })
  return {
    name: synthetic.name,
    symbols: synthetic.symbols,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    history(query) {
      if (query.interval === '1h') historyCalls += 1
      if (isSourceDown) return Promise.reject(new PartialHistory([]))
      return synthetic.history(query)
    },
    onHistoryChanged(listener) {
      notifyHistoryChanged = listener
      return () => undefined
    },
  }
}

beforeAll(async () => {
  app = await createTestApp(database, { feed: feedWithPast() })
  address = await app.start()
})
afterAll(async () => {
  await app.stop()
})

interface Got {
  status: number
  headers: Readonly<Record<string, unknown>>
  body: Buffer
}

/** Sends a request over a real connection, because an injected request would bypass the cached replies. */
function get(path: string, headers: Record<string, string> = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    request(`${address}${path}`, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode = 0, headers: replyHeaders } = response
        resolve({ status: statusCode, headers: replyHeaders, body: Buffer.concat(chunks) })
      })
    })
      .on('error', reject)
      .end()
  })
}

const pageOf = (interval: ChartInterval, ago = 1) => candlePageAt(TEST_START, interval) - ago
const pathOf = (interval: ChartInterval, page: number) => `/api/candles/BTCUSDT/${interval}/${page}`

it('the pages contain the same candles as kline-historical, for every interval', async () => {
  for (const interval of CHART_INTERVALS) {
    const page = pageOf(interval)
    const { from, until } = candlePageSpan(page, interval)
    const { status, body } = await get(pathOf(interval, page))
    expect(status).toBe(200)
    const payload = { symbol: 'btc', interval, limit: 500, endTime: until - 1 }
    const { body: klines } = await app.inject({ method: 'POST', url: `/api${calls.klineHistorical.path}`, payload })
    expect(JSON.parse(body.toString())).toEqual(klines)
    expect(klines.data).toHaveLength(500)
    expect(klines).toMatchObject({ meta: { provider: [[from, until, 'synthetic']], partial: [] } })
  }
})

it('a page joins the previous page without gap or overlap', async () => {
  const pages = await Promise.all([3, 2, 1].map((ago) => get(pathOf('5m', pageOf('5m', ago)))))
  const times = pages.flatMap(({ body }) =>
    (JSON.parse(body.toString()) as { data: number[][] }).data.map(([time]) => time),
  )
  const { from } = candlePageSpan(pageOf('5m', 3), '5m')
  expect(times).toEqual(Array.from({ length: 1_500 }, (_, index) => from + index * 300_000))
})

it('builds a page once, and sends the same body and tag over a connection as to an injected request', async () => {
  const path = pathOf('1h', pageOf('1h', 4))
  const before = historyCalls
  const first = await get(path)
  const second = await get(path)
  const { etag, 'cache-control': cacheControl, 'content-security-policy': policy } = first.headers
  expect(etag).toMatch(/^"[\w-]{22}"$/)
  expect(cacheControl).toBe('public, max-age=300')
  expect(policy).toContain("default-src 'none'")
  const { date: _, connection: __, ...firstHeaders } = first.headers
  expect(second.headers).toMatchObject(firstHeaders)
  expect(second.body).toEqual(first.body)
  expect(historyCalls).toBe(before + 1)
  const injected = await app.http.inject({ url: path })
  expect(injected.rawPayload).toEqual(first.body)
  expect(injected.headers['etag']).toBe(etag)
})

it("sends a page in the client's encoding, each encoding with its own tag", async () => {
  const path = pathOf('1h', pageOf('1h'))
  const plain = await get(path)
  for (const round of ['the long way', 'ahead']) {
    const zipped = await get(path, { 'accept-encoding': 'gzip, deflate' })
    const brotli = await get(path, { 'accept-encoding': 'gzip;q=0.5, br' })
    expect(gunzipSync(zipped.body), round).toEqual(plain.body)
    expect(brotliDecompressSync(brotli.body), round).toEqual(plain.body)
    expect([zipped, brotli].map(({ headers }) => headers['content-encoding'])).toEqual(['gzip', 'br'])
    expect(new Set([plain, zipped, brotli].map(({ headers }) => headers['etag'])).size).toBe(3)
    for (const refusing of ['br;q=0', 'identity', 'br;q=0.0, gzip;q=0'])
      expect((await get(path, { 'accept-encoding': refusing })).body).toEqual(plain.body)
  }
})

it('replies with status 304 and no body to a client that already has the page', async () => {
  const path = pathOf('1h', pageOf('1h'))
  const { headers } = await get(path)
  const etag = String(headers['etag'])
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    expect(await get(path, { 'if-none-match': tag })).toMatchObject({
      status: 304,
      headers: { etag },
      body: Buffer.of(),
    })
    expect((await app.http.inject({ url: path, headers: { 'if-none-match': tag } })).statusCode).toBe(304)
  }
  expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200)
})

it('rebuilds a page when a hole in it was filled, and only then', async () => {
  const page = pageOf('1h')
  const path = pathOf('1h', page)
  const { from, until } = candlePageSpan(page, '1h')
  await get(path)
  const callsBefore = historyCalls
  notifyHistoryChanged?.({ symbolId: 1, interval: '5m', from, until })
  notifyHistoryChanged?.({ symbolId: 2, interval: '1h', from, until })
  notifyHistoryChanged?.({ symbolId: 1, interval: '1h', from: until, until: candlePageSpan(page + 1, '1h').until })
  await get(path)
  expect(historyCalls).toBe(callsBefore)
  notifyHistoryChanged?.({ symbolId: 1, interval: '1h', from, until: candlePageSpan(page, '1h').until })
  await get(path)
  expect(historyCalls).toBe(callsBefore + 1)
})

it.each([
  ['/api/candles/NOPE/1m/1', 422, 'symbol_unknown'],
  ['/api/candles/BTCUSDT/2m/1', 422, 'bad_request'],
  ['/api/candles/BTCUSDT/1m/x', 422, 'bad_request'],
  ['/api/candles/BTCUSDT/1m/-1', 422, 'bad_request'],
  ['/api/candles/BTCUSDT/1m/01', 422, 'bad_request'],
  ['/api/candles/BTCUSDT/1m/999999999', 404, 'not_found'],
  [`/api/candles/BTCUSDT/1m/${candlePageAt(TEST_START, '1m')}`, 404, 'not_found'],
  ['/api/candles/BTCUSDT/1m', 404, 'not_found'],
])('returns for %s status %i %s', async (path, status, code) => {
  const got = await get(path)
  expect([got.status, (JSON.parse(got.body.toString()) as { code: string }).code]).toEqual([status, code])
  expect(got.headers['cache-control']).toBe('no-store')
})

it('a page before the beginning of the history has no bars', async () => {
  expect(JSON.parse((await get('/api/candles/BTCUSDT/1d/0')).body.toString())).toEqual({
    data: [],
    meta: { provider: [], partial: [] },
  })
})

it('a reply says that candles are missing because the source did not reply, and the next one does not', async () => {
  const interval = '30m'
  const page = pageOf(interval, 4)
  const path = pathOf(interval, page)
  const body = { symbol: 'BTC', interval, limit: 10, endTime: candlePageSpan(page, interval).until - 1 } as const
  const metas = async () => [
    (JSON.parse((await get(path)).body.toString()) as { meta: unknown }).meta,
    (await app.call(calls.klineHistorical, { body })).body.meta,
  ]
  isSourceDown = true
  const missing = await metas()
  isSourceDown = false
  expect(missing).toEqual(Array.from({ length: 2 }, () => ({ provider: [], partial: [], incomplete: true })))
  for (const meta of await metas()) expect(meta).not.toHaveProperty('incomplete')
})

it('exchange clients are told to ask again for candles that a source did not return', async () => {
  const statuses = async (urls: readonly string[]) => {
    const replies = []
    for (const url of urls) replies.push((await app.http.inject({ url })).statusCode)
    return replies
  }
  const klines = '/api/v3/klines?symbol=BTCUSDT&interval=30m&limit=10'
  const startTime = candlePageSpan(pageOf('30m', 9), '30m').from
  const urls = [
    `${klines}&endTime=${startTime}`,
    `${klines}&startTime=${startTime}`,
    `/api/products/BTC-USD/candles?granularity=1800&end=${startTime / 1_000}`,
  ]
  isSourceDown = true
  const missing = await statuses(urls)
  isSourceDown = false
  expect(missing).toEqual([503, 503, 503])
  expect(await statuses(urls)).toEqual([200, 200, 200])
})

it('counts a page towards the rate limit like any other call', async () => {
  const limited = await createTestApp(database, { feed: feedWithPast(), perAddress: { perSecond: 1, burst: 3 } })
  const usual = address
  address = await limited.start()
  try {
    const path = pathOf('1h', pageOf('1h'))
    const statuses: number[] = []
    for (let round = 0; round < 5; round += 1) statuses.push((await get(path)).status)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  } finally {
    address = usual
    await limited.stop()
  }
})
