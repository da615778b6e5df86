import { describe, expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { AdvancedLine } from '#server/feeds/providers/coinbase/advanced-line.ts'
import { ToldSoFar } from '#server/feeds/providers/coinbase/told.ts'
import type { ProviderSymbol } from '#server/feeds/providers/provider.ts'
import { systemClock } from '#server/system.ts'
import { ProviderRecorder } from '#testing/providers/provider-recorder.ts'
import { RecordedLine, say } from '#testing/providers/read-by-line.ts'
import { readWire } from '#testing/providers/read-wire.ts'

const NOON = Date.UTC(2026, 7, 10, 12)

function begin(symbols: Readonly<Record<string, ProviderSymbol['channel']>>) {
  const heard = new ProviderRecorder()
  const told = new ToldSoFar(heard, { clock: systemClock })
  const following = new Map(Object.entries(symbols))
  const open = () => {
    const line = new RecordedLine()
    const talk = new AdvancedLine({ line, symbols: following, told, sink: heard })
    let sequence = 0
    /** The same, each message with the number that follows. */
    const hear = (...messages: readonly object[]) => {
      for (const message of messages) {
        say(talk, { timestamp: at(NOON), ...message, sequence_num: sequence })
        sequence += 1
      }
    }
    const skip = (messages: number) => {
      sequence += messages
    }
    return { line, talk, hear, skip }
  }
  return { heard, following, open, ...open() }
}

const at = (time: number) => new Date(time).toISOString()

/** As they are sent: the newest first. */
function trades(...newestFirst: readonly (readonly [id: number, time: number, product?: string])[]) {
  const list = newestFirst.map(([id, time, product_id = 'BTC-USD']) => ({
    product_id,
    trade_id: String(id),
    price: `${id}.5`,
    size: '1',
    time: at(time),
    side: 'BUY',
  }))
  return { channel: 'market_trades', events: [{ type: 'update', trades: list }] }
}

const granted = (subscriptions: Readonly<Record<string, readonly string[]>>) => ({
  channel: 'subscriptions',
  events: [{ subscriptions: { heartbeats: ['heartbeats'], ...subscriptions } }],
})

const heartbeat = (time: number) => ({
  channel: 'heartbeats',
  timestamp: at(time),
  events: [{ current_time: 'in a form of its own', heartbeat_counter: 7 }],
})

const ticker = (price: string, time: number, type = 'update') => ({
  channel: 'ticker',
  timestamp: at(time),
  events: [{ type, tickers: [{ type: 'ticker', product_id: 'BTC-USD', price, best_bid: '1', best_ask: '2' }] }],
})

describe('what it asks for', () => {
  test('trades or tickers of each product, and the heartbeats of the connection', () => {
    const { line, hear } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'ticker', 'SOL-USD': 'trade' })
    expect(line.sent).toEqual([
      { type: 'subscribe', product_ids: ['BTC-USD', 'SOL-USD'], channel: 'market_trades' },
      { type: 'subscribe', product_ids: ['ETH-USD'], channel: 'ticker' },
      { type: 'subscribe', channel: 'heartbeats' },
    ])
    const all = granted({ market_trades: ['SOL-USD', 'BTC-USD'], ticker: ['ETH-USD'] })
    hear(granted({ market_trades: ['SOL-USD', 'BTC-USD'] }), all)
    expect(line.isReady).toBe(false)
    hear(all)
    expect(line.isReady).toBe(true)
  })

  test('the recorded answers make it ready', () => {
    const { heard, line, talk } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade' })
    const answers = readWire('coinbase-advanced-20260809.jsonl.gz').filter((text) => text.includes('"subscriptions"'))
    answers.forEach((text, n) => say(talk, text.replace(/"sequence_num":\d+/, `"sequence_num":${n}`)))
    expect(line.isReady).toBe(true)
    expect(heard.troubles).toEqual([])
  })

  test('a product that is not listed when all is answered is refused', () => {
    const { heard, line, hear } = begin({ 'BTC-USD': 'trade', 'NOPE-USD': 'trade' })
    const answer = granted({ market_trades: ['BTC-USD'] })
    hear(answer)
    expect(heard.troubles).toEqual([])
    hear(answer, answer)
    expect(heard.troubles).toEqual([{ kind: 'refused', symbol: 'NOPE-USD', why: 'not among what it subscribed us to' }])
    expect(line.isReady).toBe(true)
  })

  test('after an error that names no product it asks for each by itself, and only the bad one is refused', () => {
    const { heard, line, talk, hear } = begin({ 'BTC-USD': 'trade', 'NOPE-USD': 'trade' })
    say(talk, { type: 'error', message: 'invalid product' })
    hear(granted({}))
    expect(line.sent.slice(2)).toEqual([
      { type: 'subscribe', product_ids: ['BTC-USD'], channel: 'market_trades' },
      { type: 'subscribe', product_ids: ['NOPE-USD'], channel: 'market_trades' },
    ])
    hear(granted({ market_trades: ['BTC-USD'] }))
    expect(heard.troubles).toEqual([])
    say(talk, { type: 'error', message: 'invalid product' })
    expect(heard.troubles).toEqual([{ kind: 'refused', symbol: 'NOPE-USD', why: 'invalid product' }])
    expect(line.isReady).toBe(true)
  })

  test('more products can be asked for', () => {
    const { heard, following, line, talk, hear } = begin({ 'BTC-USD': 'trade' })
    hear(granted({ market_trades: ['BTC-USD'] }), granted({ market_trades: ['BTC-USD'] }))
    following.set('ETH-USD', 'trade')
    talk.ask(['ETH-USD'])
    expect(line.sent.at(-1)).toEqual({ type: 'subscribe', product_ids: ['ETH-USD'], channel: 'market_trades' })
    hear(granted({ market_trades: ['BTC-USD', 'ETH-USD'] }), trades([1, NOON, 'ETH-USD']))
    expect(heard.quotes).toHaveLength(1)
    expect(heard.troubles).toEqual([])
  })
})

describe('trades', () => {
  test('come newest first and are told oldest first', () => {
    const { heard, hear } = begin({ 'BTC-USD': 'trade' })
    hear(trades([3, NOON + 2], [2, NOON], [1, NOON]))
    expect(heard.quotes.map(({ price, time }) => [price, time - NOON])).toEqual([
      ['1.5', 0],
      ['2.5', 0],
      ['3.5', 2],
    ])
  })

  test('the recorded hundred that a subscription begins with are told once, with times of their own', () => {
    const [snapshot = ''] = readWire('coinbase-advanced-20260809.jsonl.gz')
    const { heard, talk, open } = begin({ 'BTC-USD': 'trade' })
    say(talk, snapshot)
    expect(heard.quotes).toHaveLength(100)
    expect(heard.quotes.map(({ time }) => time)).toEqual(heard.quotes.map(({ time }) => time).toSorted((a, b) => a - b))
    // Its zeros are trimmed: 38.50436 is 38.504.
    expect(heard.quotes.at(-3)).toEqual({
      symbol: 'BTC-USD',
      price: '65083.66',
      volume: '0.00007299',
      time: instant(Date.UTC(2026, 7, 9, 21, 5, 38, 504)),
    })
    say(open().talk, snapshot)
    expect(heard.quotes).toHaveLength(100)
    expect(heard.alives).toEqual([])
  })

  test('those that were missed on the way to a new connection come with it', () => {
    const { heard, hear, open } = begin({ 'BTC-USD': 'trade' })
    hear(trades([1, NOON]))
    const { hear: hearNext } = open()
    hearNext(trades([4, NOON + 30], [3, NOON + 20], [2, NOON + 10], [1, NOON]))
    expect(heard.quotes.map(({ price }) => price)).toEqual(['1.5', '2.5', '3.5', '4.5'])
  })
})

describe('heartbeats', () => {
  test('say that all products are alive which the connection is subscribed to and that have a price', () => {
    const { heard, hear } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade', 'SOL-USD': 'trade' })
    hear(trades([1, NOON]), trades([1, NOON, 'ETH-USD']), heartbeat(NOON + 1_000))
    expect(heard.alives).toEqual([])
    hear(granted({ market_trades: ['BTC-USD', 'SOL-USD'] }), heartbeat(NOON + 2_000))
    expect(heard.alives).toEqual([{ symbol: 'BTC-USD', time: NOON + 1_749, quotesBefore: 2 }])
  })

  test('of the recording none speaks of a trade that comes later', () => {
    const { heard, talk } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade' })
    say(talk, ...readWire('coinbase-advanced-interleaved-20260809.jsonl.gz'))
    expect(heard.alives.length).toBeGreaterThan(8)
    expect(heard.latecomers()).toEqual([])
    expect(heard.troubles).toEqual([])
  })
})

describe('the numbers of messages', () => {
  test('a hole means loss: nothing more is taken, no sign of life either, and a new connection is made', () => {
    const { heard, line, hear, skip } = begin({ 'BTC-USD': 'trade' })
    hear(granted({ market_trades: ['BTC-USD'] }), trades([1, NOON]))
    skip(2)
    hear(trades([4, NOON + 3]), heartbeat(NOON + 1_000))
    expect(heard.quotes).toHaveLength(1)
    expect(heard.alives).toEqual([])
    expect(heard.troubles).toEqual([{ kind: 'lost', symbol: null, why: 'messages 2 to 3 have not come' }])
    expect(line.failures).toEqual(['messages 2 to 3 have not come'])
  })

  test('they count over all channels, also those we have no use for, and messages that make no sense', () => {
    const { heard, talk, hear, skip } = begin({ 'BTC-USD': 'trade' })
    hear({ channel: 'l2_data', events: [{}] }, { channel: 'candles', events: [] }, { channel: 'new', events: [7] })
    const broken = { ...trades([1, NOON]), timestamp: at(NOON), sequence_num: 3 }
    expect(() => talk.message(JSON.stringify(broken).replace('"1.5"', '"1,5"'))).toThrow('not a price')
    skip(1)
    hear(trades([2, NOON]))
    expect(heard.quotes.map(({ price }) => price)).toEqual(['2.5'])
  })

  test('a message that comes again has nothing new; ten in a row mean that the counting has begun anew', () => {
    const { heard, line, talk, hear } = begin({ 'BTC-USD': 'trade' })
    hear(trades([1, NOON]), trades([2, NOON]))
    const again = { ...trades([9, NOON]), timestamp: at(NOON), sequence_num: 0 }
    for (let n = 1; n < 10; n += 1) say(talk, again)
    expect(line.failures).toEqual([])
    say(talk, again)
    expect(line.failures).toEqual(['the numbers of its messages ran back'])
    expect(heard.quotes).toHaveLength(2)
  })

  test('each connection has numbers of its own', () => {
    const { heard, line, hear, open } = begin({ 'BTC-USD': 'trade' })
    hear(trades([1, NOON]), trades([2, NOON]))
    const next = open()
    next.hear(trades([3, NOON]))
    expect(heard.quotes).toHaveLength(3)
    expect([line.failures, next.line.failures]).toEqual([[], []])
  })
})

describe('tickers, where asked for', () => {
  test('what a subscription begins with is left out, and the same price again is a sign of life', () => {
    const { heard, hear } = begin({ 'BTC-USD': 'ticker' })
    hear(ticker('65086.18', NOON, 'snapshot'))
    hear(ticker('65083.67', NOON + 10), ticker('65083.67', NOON + 20), ticker('65083.66', NOON + 30))
    expect(heard.quotes).toEqual([
      { symbol: 'BTC-USD', price: '65083.67', volume: '0', time: NOON + 10 },
      { symbol: 'BTC-USD', price: '65083.66', volume: '0', time: NOON + 30 },
    ])
    expect(heard.alives.map(({ time }) => time)).toEqual([NOON + 19])
  })

  test('a product of which trades are followed takes no price from them', () => {
    const { heard, hear } = begin({ 'BTC-USD': 'trade' })
    hear(ticker('65083.67', NOON))
    expect(heard.quotes).toEqual([])
  })
})
