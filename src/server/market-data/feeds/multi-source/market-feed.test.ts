import { beforeEach, expect, it } from 'vitest'
import { noteLine } from '#core/markets/log-text.ts'
import type { MarketSymbol } from '#core/markets/market.ts'
import { later } from '#core/time/instant.ts'
import type { Feed, FeedSink } from '#server/market-data/feeds/base/feed.ts'
import { limitsOf } from '#server/market-data/feeds/multi-source/feeds-file.ts'
import { createMarketFeed } from '#server/market-data/feeds/multi-source/market-feed.ts'
import type { IncidentNote, SymbolSource } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { AAPL, BTC } from '#test/support/market-fixtures.ts'
import { ScriptedProvider } from '#test/support/scripted-provider.ts'
import { TEST_START } from '#test/support/test-context.ts'

const SOL: MarketSymbol = { ...BTC, id: 3, code: 'SOL' }
const SOURCES: Record<string, SymbolSource[]> = {
  BTC: [
    { provider: 'one', symbol: 'BTCUSDT', channel: 'trade' },
    { provider: 'two', symbol: 'BTC-USD', channel: 'ticker' },
  ],
  AAPL: [{ provider: 'two', symbol: 'AAPL', channel: 'trade' }],
  SOL: [{ provider: 'one', symbol: 'SOLUSDT', channel: 'trade' }],
}

let clock: FakeClock
let one: ScriptedProvider
let two: ScriptedProvider
let feed: Feed
let events: string[]
let incidents: IncidentNote[]
let lines: string[]

beforeEach(() => {
  clock = new FakeClock(TEST_START)
  one = new ScriptedProvider('one')
  two = new ScriptedProvider('two')
  events = []
  incidents = []
  lines = []
  const write = (_: object, message: string) => void lines.push(message)
  feed = createMarketFeed({
    clock,
    log: { debug: write, info: write, warn: write, error: write },
    providers: new Map([
      ['one', one],
      ['two', two],
    ]),
    symbols: [BTC, AAPL],
    sourcesOf: ({ code }) => {
      const sources = SOURCES[code]
      return sources === undefined ? null : { sources, limits: limitsOf({}, {}) }
    },
    history: () => Promise.resolve([]),
    onIncident: (incident) => incidents.push(incident),
  })
})

const sink: FeedSink = {
  tick: ({ symbolId, price, volume, time, source }) =>
    void events.push(`${symbolId} ${price} ${volume} @${time - TEST_START} ${source}`),
  heartbeat: (symbolId, time) => void events.push(`${symbolId} beat @${time - TEST_START}`),
  doubt: (symbolId, doubt) => void events.push(`${symbolId} doubt ${doubt}`),
}
/** As `sink`, but also records missing prices. */
const watchful: FeedSink = {
  ...sink,
  misses: (symbolId, from) =>
    void events.push(`${symbolId} misses ${from === null ? 'since then' : `@${from - TEST_START}`}`),
}
const takeEvents = () => events.splice(0)

it('subscribes all symbols before it starts the providers', async () => {
  expect(one.followed).toEqual([{ symbol: 'BTCUSDT', channel: 'trade' }])
  expect(two.followed.map(({ symbol }) => symbol)).toEqual(['BTC-USD', 'AAPL'])
  await feed.start(sink)
})

it('publishes prices in our units, with the name of their source', async () => {
  await feed.start(sink)
  one.quote('BTCUSDT', '61837.63500000', clock.now(), { volume: '0.0312' })
  two.quote('BTC-USD', '61840.1', clock.now())
  two.quote('AAPL', '171.2', clock.now())
  one.alive('BTCUSDT', clock.now() + 5)
  two.alive('BTC-USD', clock.now() + 5)
  one.quote('NOBODYS', '1', clock.now())
  expect(takeEvents()).toEqual(['1 6183764 31200 @0 one', '2 17120 1000000 @0 two', '1 beat @5'])
})

it('makes no price of an invalid number, and counts the quote as unused', async () => {
  await feed.start(sink)
  for (const text of ['0', '-1', 'NaN', '', '1e9', '9'.repeat(30)]) one.quote('BTCUSDT', text, clock.now())
  one.quote('BTCUSDT', '1.00', clock.now(), { volume: '-3' })
  expect(takeEvents()).toEqual([])
  clock.advance(61_000)
  expect(lines).toContain('quotes that made no price so far')
})

it('counts unused trades by source and reason, and trades without a known symbol by provider', async () => {
  await feed.start(sink)
  one.unused('BTCUSDT', 'condition')
  one.unused('BTCUSDT', 'condition')
  two.unused('BTC-USD', 'repeated')
  two.quote('BTC-USD', '1e5', clock.now())
  two.quote('AAPL', '171.20', clock.now() + 6_000)
  two.unused(null, 'unreadable')
  two.unused('NOBODYS', 'condition')
  expect(feed.sources?.().map(({ provider, providerSymbol, unused }) => [provider, providerSymbol, unused])).toEqual([
    ['one', 'BTCUSDT', { condition: 2 }],
    ['two', 'BTC-USD', { unreadable: 1, repeated: 1 }],
    ['two', 'AAPL', { ahead: 1 }],
  ])
  expect(feed.unplaced?.()).toEqual([{ provider: 'two', unused: { unreadable: 1, condition: 1 } }])
})

it('switches the source within two seconds of its last message, and records the switch', async () => {
  await feed.start(sink)
  for (let at = 0; at < 5_000; at += 250) {
    if (at < 1_000) one.quote('BTCUSDT', '100.00', clock.now())
    two.quote('BTC-USD', '100.01', clock.now())
    clock.advance(250)
  }
  const second = takeEvents().filter((text) => text.endsWith('two'))
  expect(Number(/@(\d+)/.exec(second[0] ?? '')?.[1])).toBeLessThanOrEqual(2_750)
  expect(incidents).toMatchObject([
    { phase: 'happened', kind: 'switched', symbolId: BTC.id, source: 'two', detail: 'the other source is silent' },
  ])
  expect(feed.sources?.()).toMatchObject([
    { symbolId: 1, provider: 'one', providerSymbol: 'BTCUSDT', state: 'silent', isUsed: false },
    { symbolId: 1, provider: 'two', providerSymbol: 'BTC-USD', state: 'well', isUsed: true },
    { symbolId: 2, provider: 'two', state: 'silent', isUsed: true, newestAt: null, heardAt: null },
  ])
})

it('logs which quotes made no price, and which source is used', async () => {
  const notes: string[] = []
  await feed.start({ ...sink, note: (note) => void notes.push(noteLine(note)) })
  let ref = 0
  const say = (price: string, lateMs = 0) => {
    ref += 1
    one.quote('BTCUSDT', price, clock.now() - lateMs, { ref })
  }
  say('100.00')
  say('100.00', 50)
  say('200.00')
  say('100.01')
  say('0.001')
  one.unused('BTCUSDT', 'out_of_order', 6)
  two.quote('BTC-USD', '150.00', clock.now(), { ref: 77 })
  ref = 6
  say('100.02')
  say('100.02')
  expect(notes.splice(0)).toEqual([
    'x 1 one 2 2 back',
    'x 1 one 3 3 spike',
    'x 1 one 5 5 number',
    'x 1 one 6 6 back',
    'x 1 one 7 7 doubt',
    'x 1 one 8 8 doubt',
  ])
  for (let at = 0; at < 90_000; at += 250) {
    two.quote('BTC-USD', '150.00', clock.now(), { ref: 78 + at })
    clock.advance(250)
  }
  expect(notes).toEqual(['u 1 two silent'])
})

it('switches the source when the provider does not know the symbol', async () => {
  await feed.start(sink)
  two.quote('BTC-USD', '100.01', clock.now())
  one.trouble({ kind: 'refused', symbol: 'BTCUSDT', why: 'unknown' })
  expect(takeEvents()).toEqual(['1 10001 1000000 @0 two'])
  expect(incidents.map(({ kind, phase }) => `${kind} ${phase}`)).toEqual(['refused began', 'switched happened'])
})

it('reports lost messages for each symbol they concern', async () => {
  await feed.start(sink)
  one.trouble({ kind: 'lost', symbol: 'BTCUSDT', why: 'a hole' })
  one.trouble({ kind: 'lost', symbol: null, why: 'a hole' })
  expect(incidents).toMatchObject([
    { kind: 'lost', symbolId: 1, source: 'one' },
    { kind: 'lost', symbolId: null },
  ])
})

it('P1: holds back prices after a loss on an open connection, and after an invalid price', async () => {
  await feed.start(sink)
  one.quote('BTCUSDT', '100.00', clock.now())
  clock.advance(100)
  one.trouble({ kind: 'lost', symbol: 'BTCUSDT', why: 'a hole', from: later(clock.now(), -50) })
  one.quote('BTCUSDT', '100.01', clock.now())
  expect(takeEvents()).toEqual(['1 10000 1000000 @0 one', '1 doubt lost'])
})

it('P1: treats a price that rounds to zero as a trade with an unknown price', async () => {
  await feed.start(sink)
  one.quote('BTCUSDT', '100.00', clock.now())
  clock.advance(100)
  one.quote('BTCUSDT', '0.001', clock.now())
  one.alive('BTCUSDT', clock.now() + 500)
  one.quote('BTCUSDT', '100.01', clock.now())
  expect(takeEvents()).toEqual(['1 10000 1000000 @0 one', '1 doubt lost'])
})

it('P6: reports for each source until when its provider requested a pause', async () => {
  one.restsUntil = () => later(TEST_START, 259_200_000)
  await feed.start(sink)
  one.trouble({ kind: 'resting', until: later(TEST_START, 259_200_000), why: 'HTTP 418' })
  expect(feed.sources?.().map(({ provider, restsUntil }) => [provider, restsUntil])).toEqual([
    ['one', later(TEST_START, 259_200_000)],
    ['two', null],
    ['two', null],
  ])
  expect(lines).toContain('a price provider reported a problem')
})

it('a provider that throws does not stop the feed', async () => {
  one.start = () => {
    throw new Error('broken')
  }
  two.stop = () => Promise.reject(new Error('broken'))
  await feed.start(sink)
  two.quote('AAPL', '171.20', clock.now())
  expect(takeEvents()).toHaveLength(1)
  await feed.stop()
  expect(one.isStopped).toBe(true)
  expect(lines).toEqual(expect.arrayContaining(['a price source failed', 'a provider did not stop']))
})

it('reports nothing after its stop', async () => {
  await feed.start(sink)
  await feed.stop()
  one.quote('BTCUSDT', '100.00', clock.now())
  one.trouble({ kind: 'lost', symbol: null, why: 'a hole' })
  clock.advance(60_000)
  expect(takeEvents()).toEqual([])
  expect(incidents).toEqual([])
  expect(clock.pendingTimers).toBe(0)
})

it('adds a configured symbol, before the start and at run time', async () => {
  expect(feed.more?.knows(SOL)).toBe(true)
  expect(feed.more?.knows({ ...SOL, code: 'DOGE' })).toBe(false)
  feed.more?.learn({ ...SOL, id: 4 })()
  await feed.start(sink)
  const begin = feed.more?.learn(SOL)
  one.quote('SOLUSDT', '20.00', clock.now())
  begin?.()
  one.quote('SOLUSDT', '20.01', clock.now())
  expect(takeEvents()).toEqual(['4 2000 1000000 @0 one', '4 2001 1000000 @0 one', '3 2001 1000000 @0 one'])
  expect(one.followed.at(-1)).toEqual({ symbol: 'SOLUSDT', channel: 'trade' })
})

it('P9: reports missing prices of the source in use, but not of the standby', async () => {
  await feed.start(watchful)
  one.quote('BTCUSDT', '100.00', clock.now())
  two.quote('BTC-USD', '100.01', clock.now())
  takeEvents()
  two.trouble({ kind: 'disconnected', symbols: ['BTC-USD'], why: 'gone' })
  two.trouble({ kind: 'lost', symbol: 'BTC-USD', why: 'a hole', from: TEST_START })
  expect(takeEvents()).toEqual([])
  one.trouble({ kind: 'disconnected', symbols: ['BTCUSDT', 'NOBODYS'], why: 'gone' })
  one.trouble({ kind: 'lost', symbol: 'BTCUSDT', why: 'two trades are missing' })
  one.trouble({ kind: 'lost', symbol: 'BTCUSDT', why: 'a hole', from: later(TEST_START, -50) })
  expect(takeEvents()).toEqual(['1 misses since then', '1 misses since then', '1 misses @-50', '1 doubt lost'])
})

it('P9: reports prices missing since a trade that is ahead of the clock or too late, but not of the standby', async () => {
  await feed.start(watchful)
  one.quote('BTCUSDT', '100.00', clock.now())
  two.quote('BTC-USD', '100.01', clock.now())
  clock.advance(100)
  takeEvents()
  two.quote('BTC-USD', '100.02', clock.now() + 5_001)
  expect(takeEvents()).toEqual([])
  one.quote('BTCUSDT', '100.02', clock.now() + 5_001)
  expect(takeEvents()).toEqual(['1 misses @-1', '1 doubt lost'])
  two.quote('AAPL', '171.20', clock.now() + 5_001)
  expect(takeEvents()).toEqual(['2 misses since then'])
  two.quote('AAPL', '171.20', clock.now() - 60_001)
  expect(takeEvents()).toEqual(['2 misses @-59902'])
  two.quote('AAPL', '171.20', clock.now())
  takeEvents()
  // The trade is older than a price that the log has.
  two.quote('AAPL', '171.20', clock.now() - 60_001)
  expect(takeEvents()).toEqual([])
})

it('P9: reports missing prices when the other source takes over', async () => {
  await feed.start(watchful)
  one.quote('BTCUSDT', '100.00', clock.now())
  two.quote('BTC-USD', '100.01', clock.now())
  takeEvents()
  for (let second = 0; second < 30; second += 1) {
    clock.advance(1_000)
    two.quote('BTC-USD', '100.02', clock.now())
  }
  const all = takeEvents()
  expect(all.slice(0, 2)).toEqual(['1 misses since then', expect.stringMatching(/^1 10002 .* two$/)])
})
