import { afterAll, beforeAll, expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { describeSources } from '#server/market-data/feeds/check/describe-sources.ts'
import { judgeSources } from '#server/market-data/feeds/check/judge-sources.ts'
import { type ProbeResult, probeSources } from '#server/market-data/feeds/check/probe-sources.ts'
import { createProviders } from '#server/market-data/feeds/multi-source/create-providers.ts'
import { type PlannedSymbol, planSources } from '#server/market-data/feeds/multi-source/plan-sources.ts'
import { readFeedsFile } from '#server/market-data/feeds/multi-source/read-feeds-file.ts'
import { createTools } from '#server/platform/context/create-context.ts'
import { binanceWire } from '#test/support/providers/binance-wire.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'

const SECONDS = 2
const { clock, randomBytes } = createTools()
const servers: ProviderServer[] = []

beforeAll(async () => {
  const openTime = Math.floor(clock.now() / 60_000) * 60_000 - 120_000
  const bars = [[openTime, '61000.00', '61010.00', '60990.00', '61005.00', '1.5']]
  const wire = () => binanceWire({ symbols: new Set(['BTCUSDT', 'ETHUSDT']), klines: () => bars })
  servers.push(await ProviderServer.start(wire()), await ProviderServer.start(wire()))
})
afterAll(async () => {
  for (const server of servers) await server.stop()
})

it('connects, listens, and reports the state of each source', async () => {
  const [one, two] = servers
  if (!one || !two) throw new Error('there are two')
  const source = (provider: string, symbol: string) => ({ provider, symbol })
  const file = {
    providers: {
      one: { kind: 'binance', url: one.url, restUrl: one.restUrl },
      two: { kind: 'binance', url: two.url, restUrl: two.restUrl },
    },
    symbols: [
      { code: 'BTC', tickSize: '0.1', sources: [source('one', 'BTCUSDT'), source('two', 'BTCUSDT')] },
      { code: 'ETH', sources: [source('one', 'ETHUSDT'), source('two', 'ETHUSDT')] },
    ],
  }
  const read = readFeedsFile({ kind: 'text', text: JSON.stringify(file) })
  const plan = planSources({ read, mode: 'demo', stored: [], hasKey: () => false })
  const { symbols } = plan
  const used = new Set(plan.providers.keys())
  const providers = await createProviders({ read: plan, keyOf: () => undefined, tools: { clock, randomBytes }, used })

  const listening = probeSources({ clock, providers, symbols, seconds: SECONDS })
  const btc = { symbol: 'BTCUSDT', channel: 'trade' } as const
  const eth = { symbol: 'ETHUSDT', channel: 'trade' } as const
  await expect.poll(() => one.follows(btc) && two.follows(btc) && one.follows(eth)).toBe(true)
  const now = clock.now()
  one.say(trade('BTCUSDT', '61837.63000000', now, 1), trade('BTCUSDT', '61837.70000000', now, 2))
  one.say(trade('BTCUSDT', '70000.00000000', now, 3), trade('BTCUSDT', '61837.70000000', now, 4))
  two.say(trade('BTCUSDT', '61830.00000000', now - 40_000, 1))
  one.say(trade('ETHUSDT', '2000.00000000', now, 1))
  two.say(trade('ETHUSDT', '2060.00000000', now, 1))
  const judged = judgeSources(await listening, SECONDS, clock.now())

  const text = describeSources(judged).join('\n')
  expect(text).toMatch(/^BTC +first +own:\S+ BTCUSDT: 2\.0 prices a second, latency \d+ ms, .*history 1 bars$/m)
  expect(text).toMatch(/ 61837\.6 {2}\(61837\.63000000\)$/m)
  expect(text).toMatch(/! more digits than the tick size: 61837\.63000000 is kept as 61837\.6$/m)
  expect(text).toMatch(/✗ late: even the fastest price was 4\d{4} ms old$/m)
  expect(text).toMatch(/✗ own:\S+ and own:\S+ are 300\.0 basis points and 6000 tick sizes apart, more than 100 and 3$/m)
  expect(text).toMatch(/^ {4}trades that made no price: 1 spike$/m)
  expect(text).toMatch(/^2 of 4 sources have something wrong\.$/m)
})

it('reports unused trades by source, and by provider where the symbol is unknown', () => {
  const probe = { ...quiet('BTC'), quotes: 9, unused: { condition: 2, spike: 1 }, unplaced: { unreadable: 3 } }
  const judged = judgeSources([probe, { ...quiet('ETH'), quotes: 9, unplaced: probe.unplaced }], SECONDS, instant(0))
  expect(describeSources(judged).slice(1)).toEqual([
    '    trades that made no price: 2 condition, 1 spike',
    expect.stringMatching(/^ETH /),
    '! a: trades of no known symbol that made no price: 3 unreadable',
    'All 2 sources do well.',
  ])
})

it('P6: reports for each source until when its provider requested a pause', async () => {
  const [one] = servers
  if (!one) throw new Error('there is one')
  const source = (symbol: string) => ({ provider: 'one', symbol })
  const file = {
    providers: { one: { kind: 'binance', url: one.url, restUrl: one.restUrl } },
    symbols: [
      { code: 'BTC', sources: [source('BTCUSDT')] },
      { code: 'ETH', sources: [source('ETHUSDT')] },
    ],
  }
  const read = readFeedsFile({ kind: 'text', text: JSON.stringify(file) })
  const plan = planSources({ read, mode: 'demo', stored: [], hasKey: () => false })
  const { symbols } = plan
  const tools = { clock, randomBytes }
  const providers = await createProviders({
    read: plan,
    keyOf: () => undefined,
    tools,
    used: new Set(plan.providers.keys()),
  })
  one.rest = 'too-often'
  one.retryAfter = '259200'
  try {
    const judged = judgeSources(await probeSources({ clock, providers, symbols, seconds: 1 }), 1, clock.now())
    const text = describeSources(judged).join('\n')
    expect(text.match(/^ {2}✗ resting: \S+ returned HTTP 429; asked again after \d{4}-\S+Z$/gm)).toHaveLength(2)
    expect(text).toMatch(/! no history: \S+ is not called before \d{4}-\S+Z: the provider told us to wait$/m)
  } finally {
    one.rest = 'well'
  }
})

it('reports no fault for a closed market, but one for a silent open market', () => {
  const saturday = instant(Date.UTC(2026, 10, 21, 15))
  const monday = instant(Date.UTC(2026, 10, 23, 15))
  const probe = quiet('AAPL')
  expect(judgeSources([probe], SECONDS, saturday)).toMatchObject([{ problems: [], notes: ['its market is closed'] }])
  expect(judgeSources([probe], SECONDS, monday)).toMatchObject([{ problems: ['no word came'], notes: [] }])
  expect(judgeSources([{ ...probe, alive: 3 }], SECONDS, monday)).toMatchObject([
    { problems: ['it is alive, but no price came'] },
  ])
  expect(judgeSources([{ ...probe, troubles: ['refused: no such symbol'] }], SECONDS, saturday)).toMatchObject([
    { problems: ['refused: no such symbol'] },
  ])
})

it("reports that this computer's clock is behind", () => {
  const probe = { ...quiet('BTC'), quotes: 3, lagsMs: [-1_280, -1_250, -1_000] }
  expect(judgeSources([probe], SECONDS, instant(0))).toMatchObject([
    { latencyMs: -1_250, fastestMs: -1_280, problems: [], notes: [expect.stringMatching(/at least 1280 ms behind/)] },
  ])
})

it.each([
  ['0.00000073', '0.00000074', []],
  ['0.00000073', '0.00000077', ['a and b are 547.9 basis points and 4 tick sizes apart, more than 100 and 3']],
])('P4: compares two sources at %s and %s by percent and by tick sizes', (one, two, problems) => {
  const now = instant(Date.UTC(2026, 10, 23, 15))
  const source = { ...quiet('BTC'), quotes: 1 }
  const planned = {
    ...source.planned,
    symbol: { ...source.planned.symbol, decimals: 8 },
    sources: ['a', 'b'].map((provider) => ({ provider, symbol: 'BTC', channel: 'trade' as const })),
  }
  const last = (price: string) => ({ symbol: 'BTC', price, volume: '1', time: now })
  const both = ['a', 'b'].map((provider, nth) => ({ ...source, planned, provider, last: last(nth === 0 ? one : two) }))
  expect(judgeSources(both, SECONDS, now)[0]?.problems).toEqual(problems)
})

function quiet(code: string): ProbeResult {
  const file = {
    providers: { a: { kind: 'binance' } },
    symbols: [{ code, sources: [{ provider: 'a', symbol: code }] }],
  }
  const read = readFeedsFile({ kind: 'text', text: JSON.stringify(file) })
  const [planned] = planSources({ read, mode: 'demo', stored: [], hasKey: () => true }).symbols
  const history = { kind: 'none' } as const
  const none = {
    first: [],
    last: null,
    quotes: 0,
    alive: 0,
    lagsMs: [],
    troubles: [],
    unused: {},
    unplaced: {},
    history,
  }
  return { planned: planned as PlannedSymbol, provider: 'a', symbol: code, ...none }
}

function trade(symbol: string, price: string, time: number, id: number): string {
  const data = { e: 'trade', E: time, s: symbol, t: id, p: price, q: '0.02000000', T: time, m: true, M: true }
  return JSON.stringify({ stream: `${symbol.toLowerCase()}@trade`, data })
}
