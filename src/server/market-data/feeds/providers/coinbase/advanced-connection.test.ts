import { describe, expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { AdvancedConnection } from '#server/market-data/feeds/providers/coinbase/advanced-connection.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import type { ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { hear as hearText, RecordedLine, say } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const NOON = Date.UTC(2026, 7, 10, 12)

function begin(symbols: Readonly<Record<string, ProviderSymbol['channel']>>) {
  const recorder = new ProviderRecorder()
  const deduplicator = new CoinbaseTradeDeduplicator(recorder, { clock: systemClock })
  const following = new Map(Object.entries(symbols))
  const open = () => {
    const line = new RecordedLine()
    const talk = new AdvancedConnection({ line, symbols: following, deduplicator, sink: recorder })
    let sequence = 0
    /** Passes messages to the connection, each with the next number. */
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
  return { recorder, following, open, ...open() }
}

const at = (time: number) => new Date(time).toISOString()

/** Trades as Coinbase sends them: newest first. */
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

describe('subscriptions of Coinbase Advanced Trade', () => {
  test("include trades or tickers of each product, and the connection's heartbeats", () => {
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

  test('the recorded confirmations make the connection ready', () => {
    const { recorder, line, talk } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade' })
    const answers = readWire('coinbase-advanced-20260809.jsonl.gz').filter((text) => text.includes('"subscriptions"'))
    answers.forEach((text, n) => say(talk, text.replace(/"sequence_num":\d+/, `"sequence_num":${n}`)))
    expect(line.isReady).toBe(true)
    expect(recorder.troubles).toEqual([])
  })

  test('refuse a product that is missing when all requests are answered', () => {
    const { recorder, line, hear } = begin({ 'BTC-USD': 'trade', 'NOPE-USD': 'trade' })
    const answer = granted({ market_trades: ['BTC-USD'] })
    hear(answer)
    expect(recorder.troubles).toEqual([])
    hear(answer, answer)
    expect(recorder.troubles).toEqual([
      { kind: 'refused', symbol: 'NOPE-USD', why: 'not among what it subscribed us to' },
    ])
    expect(line.isReady).toBe(true)
  })

  test('request each product separately after an unnamed error, and refuse only the bad one', () => {
    const { recorder, line, talk, hear } = begin({ 'BTC-USD': 'trade', 'NOPE-USD': 'trade' })
    say(talk, { type: 'error', message: 'invalid product' })
    hear(granted({}))
    expect(line.sent.slice(2)).toEqual([
      { type: 'subscribe', product_ids: ['BTC-USD'], channel: 'market_trades' },
      { type: 'subscribe', product_ids: ['NOPE-USD'], channel: 'market_trades' },
    ])
    hear(granted({ market_trades: ['BTC-USD'] }))
    expect(recorder.troubles).toEqual([])
    say(talk, { type: 'error', message: 'invalid product' })
    expect(recorder.troubles).toEqual([{ kind: 'refused', symbol: 'NOPE-USD', why: 'invalid product' }])
    expect(line.isReady).toBe(true)
  })

  test('can be extended to more products', () => {
    const { recorder, following, line, talk, hear } = begin({ 'BTC-USD': 'trade' })
    hear(granted({ market_trades: ['BTC-USD'] }), granted({ market_trades: ['BTC-USD'] }))
    following.set('ETH-USD', 'trade')
    talk.ask(['ETH-USD'])
    expect(line.sent.at(-1)).toEqual({ type: 'subscribe', product_ids: ['ETH-USD'], channel: 'market_trades' })
    hear(granted({ market_trades: ['BTC-USD', 'ETH-USD'] }), trades([1, NOON, 'ETH-USD']))
    expect(recorder.quotes).toHaveLength(1)
    expect(recorder.troubles).toEqual([])
  })
})

describe('trades of Coinbase Advanced Trade', () => {
  test('arrive newest first and are reported oldest first', () => {
    const { recorder, hear } = begin({ 'BTC-USD': 'trade' })
    hear(trades([3, NOON + 2], [2, NOON], [1, NOON]))
    expect(recorder.quotes.map(({ price, time }) => [price, time - NOON])).toEqual([
      ['1.5', 0],
      ['2.5', 0],
      ['3.5', 2],
    ])
  })

  test('each of the first hundred recorded trades is reported once with its own time', () => {
    const [snapshot = ''] = readWire('coinbase-advanced-20260809.jsonl.gz')
    const { recorder, talk, open } = begin({ 'BTC-USD': 'trade' })
    say(talk, snapshot)
    expect(recorder.quotes).toHaveLength(100)
    expect(recorder.quotes.map(({ time }) => time)).toEqual(
      recorder.quotes.map(({ time }) => time).toSorted((a, b) => a - b),
    )
    // Trailing zeros are cut: 38.50436 becomes 38.504.
    expect(recorder.quotes.at(-3)).toEqual({
      symbol: 'BTC-USD',
      price: '65083.66',
      volume: '0.00007299',
      time: instant(Date.UTC(2026, 7, 9, 21, 5, 38, 504)),
      ref: 1_068_572_088,
    })
    say(open().talk, snapshot)
    expect(recorder.quotes).toHaveLength(100)
    expect(recorder.alives).toEqual([])
  })

  test('the next connection reports the missed trades', () => {
    const { recorder, hear, open } = begin({ 'BTC-USD': 'trade' })
    hear(trades([1, NOON]))
    const { hear: hearNext } = open()
    hearNext(trades([4, NOON + 30], [3, NOON + 20], [2, NOON + 10], [1, NOON]))
    expect(recorder.quotes.map(({ price }) => price)).toEqual(['1.5', '2.5', '3.5', '4.5'])
  })
})

describe('heartbeats of Coinbase Advanced Trade', () => {
  test('confirm all subscribed products that have a price', () => {
    const { recorder, hear } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade', 'SOL-USD': 'trade' })
    hear(trades([1, NOON]), trades([1, NOON, 'ETH-USD']), heartbeat(NOON + 1_000))
    expect(recorder.alives).toEqual([])
    hear(granted({ market_trades: ['BTC-USD', 'SOL-USD'] }), heartbeat(NOON + 2_000))
    expect(recorder.alives).toEqual([{ symbol: 'BTC-USD', time: NOON + 1_749, quotesBefore: 2 }])
  })

  test('never confirm a time of a later trade in the recording', () => {
    const { recorder, talk } = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade' })
    say(talk, ...readWire('coinbase-advanced-interleaved-20260809.jsonl.gz'))
    expect(recorder.alives.length).toBeGreaterThan(8)
    expect(recorder.latecomers()).toEqual([])
    expect(recorder.troubles).toEqual([])
  })
})

describe('the numbers of messages', () => {
  test('stop prices and heartbeats at a gap, and cause a new connection', () => {
    const { recorder, line, hear, skip } = begin({ 'BTC-USD': 'trade' })
    hear(granted({ market_trades: ['BTC-USD'] }), trades([1, NOON]))
    skip(2)
    hear(trades([4, NOON + 3]), heartbeat(NOON + 1_000))
    expect(recorder.quotes).toHaveLength(1)
    expect(recorder.alives).toEqual([])
    expect(recorder.troubles).toEqual([{ kind: 'lost', symbol: null, why: 'messages 2 to 3 have not come' }])
    expect(line.failures).toEqual(['messages 2 to 3 have not come'])
  })

  test('count across all channels, including unused ones and invalid messages', () => {
    const { recorder, talk, line, hear, skip } = begin({ 'BTC-USD': 'trade' })
    hear({ channel: 'l2_data', events: [{}] }, { channel: 'candles', events: [] })
    const broken = { channel: 'market_trades', events: 7, timestamp: at(NOON), sequence_num: 2 }
    expect(() => talk.message(JSON.stringify(broken))).toThrow('market_trades: not a list with entries')
    expect(() => talk.message(JSON.stringify({ ...broken, channel: 'new', sequence_num: 3 }))).toThrow(
      'unknown channel',
    )
    skip(2)
    hear(trades([2, NOON]))
    expect(recorder.quotes.map(({ price }) => price)).toEqual(['2.5'])
    expect(line.failures).toEqual([])
  })

  test('mark repeated messages; ten in a row mean that numbering has begun again', () => {
    const { recorder, line, talk, hear } = begin({ 'BTC-USD': 'trade' })
    hear(trades([1, NOON]), trades([2, NOON]))
    const again = { ...trades([9, NOON]), timestamp: at(NOON), sequence_num: 0 }
    for (let n = 1; n < 10; n += 1) say(talk, again)
    expect(line.failures).toEqual([])
    say(talk, again)
    expect(line.failures).toEqual(['the numbers of its messages ran back'])
    expect(recorder.quotes).toHaveLength(2)
  })

  test('each connection counts its own messages', () => {
    const { recorder, line, hear, open } = begin({ 'BTC-USD': 'trade' })
    hear(trades([1, NOON]), trades([2, NOON]))
    const next = open()
    next.hear(trades([3, NOON]))
    expect(recorder.quotes).toHaveLength(3)
    expect([line.failures, next.line.failures]).toEqual([[], []])
  })
})

describe('tickers, where subscribed', () => {
  test('leave out the first ticker, and take an unchanged price as a heartbeat', () => {
    const { recorder, hear } = begin({ 'BTC-USD': 'ticker' })
    hear(ticker('65086.18', NOON, 'snapshot'))
    hear(ticker('65083.67', NOON + 10), ticker('65083.67', NOON + 20), ticker('65083.66', NOON + 30))
    expect(recorder.quotes).toEqual([
      { symbol: 'BTC-USD', price: '65083.67', volume: '0', time: NOON + 10 },
      { symbol: 'BTC-USD', price: '65083.66', volume: '0', time: NOON + 30 },
    ])
    expect(recorder.alives.map(({ time }) => time)).toEqual([NOON + 19])
  })

  test('make no price of a product whose trades are subscribed', () => {
    const { recorder, hear } = begin({ 'BTC-USD': 'trade' })
    hear(ticker('65083.67', NOON))
    expect(recorder.quotes).toEqual([])
  })
})

describe('trades that could not be read', () => {
  const all = granted({ market_trades: ['BTC-USD', 'ETH-USD'] })
  /** Two products with a price, and a function to send messages that may be unreadable. */
  function beginWithTwo() {
    const begun = begin({ 'BTC-USD': 'trade', 'ETH-USD': 'trade' })
    const { talk, hear, skip } = begun
    hear(all, trades([1, NOON]), trades([1, NOON, 'ETH-USD']))
    const garble = (message: object, change: (text: string) => string) => {
      const count = begun.recorder.quotes.length
      const text = JSON.stringify({ timestamp: at(NOON), ...message, sequence_num: 3 })
      hearText(talk, change(text))
      expect(begun.recorder.quotes.length).toBeGreaterThanOrEqual(count)
    }
    return { ...begun, garble, next: () => skip(1), hear }
  }
  const alive = (recorder: ProviderRecorder) => recorder.alives.map(({ symbol }) => symbol)
  const lost = (recorder: ProviderRecorder) => recorder.troubles.filter(({ kind }) => kind === 'lost')

  test('P1: use the readable one of two trades, and report a loss before its price', () => {
    const { recorder, garble, next, hear } = beginWithTwo()
    garble(trades([3, NOON + 30], [2, NOON + 20]), (text) => text.replace('"2.5"', '""'))
    expect(recorder.quotes.at(-1)).toMatchObject({ price: '3.5', time: NOON + 30 })
    expect(lost(recorder)).toEqual([
      { kind: 'lost', symbol: 'BTC-USD', why: '1 trades are missing before 3', from: NOON + 19 },
    ])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'BTC-USD', reason: 'unreadable' }])
    next()
    hear(heartbeat(NOON + 1_000))
    expect(alive(recorder)).toEqual(['BTC-USD', 'ETH-USD'])
  })

  test('P1: let no heartbeat pass while the newest trade was unreadable', () => {
    const { recorder, garble, next, hear } = beginWithTwo()
    garble(trades([3, NOON + 30], [2, NOON + 20]), (text) => text.replace('"3.5"', '""'))
    next()
    hear(heartbeat(NOON + 1_000), heartbeat(NOON + 2_000))
    expect(alive(recorder)).toEqual(['ETH-USD', 'ETH-USD'])
    expect(lost(recorder)).toEqual([])
    hear(trades([4, NOON + 2_500]), heartbeat(NOON + 3_000))
    expect(lost(recorder)).toMatchObject([{ symbol: 'BTC-USD', from: NOON + 29 }])
    expect(alive(recorder).slice(2)).toEqual(['BTC-USD', 'ETH-USD'])
  })

  test.each<[string, (text: string) => string]>([
    ['its product', (text) => text.replace('"BTC-USD"', 'null')],
    ['the name of a product', (text) => text.replace('"BTC-USD"', '"btc-usd"')],
    ['its trades', (text) => text.replace('"trades":', '"trade":')],
    ['a known channel', (text) => text.replace('"market_trades"', '"market"')],
    ['a channel', (text) => text.replace('"market_trades"', 'null')],
    ['its events', (text) => text.replace('"events":[', '"events":7,"other":[')],
  ])('P1: may concern any product when a message lacks %s; the next trade shows whether it did', (_, change) => {
    const { recorder, garble, next, hear } = beginWithTwo()
    garble(trades([2, NOON + 20]), change)
    next()
    hear(heartbeat(NOON + 1_000))
    expect(alive(recorder)).toEqual([])
    hear(trades([3, NOON + 1_500]), trades([2, NOON + 1_500, 'ETH-USD']), heartbeat(NOON + 3_000))
    expect(lost(recorder)).toMatchObject([{ symbol: 'BTC-USD', from: NOON - 1 }])
    expect(alive(recorder)).toEqual(['BTC-USD', 'ETH-USD'])
  })

  test('P2: are counted without opening a hole for products without a subscription', () => {
    const { recorder, garble, next, hear } = beginWithTwo()
    garble(trades([8, NOON + 20, 'XRP-USD']), (text) => text.replace('"8.5"', '"x"'))
    next()
    hear(trades([7, NOON + 10, 'XRP-USD'], [6, NOON + 5, 'BTC-USDC']))
    hear(heartbeat(NOON + 1_000))
    expect(alive(recorder)).toEqual(['BTC-USD', 'ETH-USD'])
    expect(recorder.troubles).toEqual([])
    expect(recorder.unusedTrades).toEqual([1, 2, 3].map(() => ({ symbol: null, reason: 'not_followed' })))
  })

  test('P5: count an unreported late trade as out of order, and as repeated the second time', () => {
    const { recorder, hear } = beginWithTwo()
    hear(trades([3, NOON + 30]), trades([2, NOON + 20]), trades([2, NOON + 20]), trades([3, NOON + 30]))
    expect(recorder.unusedTrades.map(({ reason }) => reason)).toEqual(['out_of_order', 'repeated', 'repeated'])
  })

  test.each<[string, (text: string) => string]>([
    ['is cut', (text) => text.slice(0, -9)],
    ['has no number', (text) => text.replace('"sequence_num":3', '"sequence_num":null')],
    ['says a name twice', (text) => text.replace('"trade_id":', '"trade_id":"7","trade_id":')],
  ])('P1: are found missing by number when a message %s; the next connection begins with them', (_, change) => {
    const { recorder, line, garble, next, hear, open } = beginWithTwo()
    garble(trades([2, NOON + 20]), change)
    next()
    hear(heartbeat(NOON + 1_000))
    expect(line.failures).toEqual(['messages 3 to 3 have not come'])
    const { hear: hearNext } = open()
    hearNext(all, heartbeat(NOON + 2_000))
    expect(alive(recorder)).toEqual([])
    hearNext(trades([2, NOON + 20], [1, NOON]), trades([1, NOON, 'ETH-USD']), heartbeat(NOON + 3_000))
    expect(recorder.quotes.map(({ price }) => price)).toEqual(['1.5', '1.5', '2.5'])
    expect(alive(recorder)).toEqual(['BTC-USD', 'ETH-USD'])
    expect(lost(recorder)).toEqual([{ kind: 'lost', symbol: null, why: 'messages 3 to 3 have not come' }])
  })

  test('P1: are lost when the next connection does not repeat them', () => {
    const { recorder, talk, hear, open } = beginWithTwo()
    hearText(talk, '{"channel":"market_trades"')
    hear(heartbeat(NOON + 1_000), heartbeat(NOON + 1_000))
    const { hear: hearNext } = open()
    hearNext(all, trades([9, NOON + 90], [8, NOON + 80]))
    expect(recorder.troubles.filter((trouble) => trouble.kind === 'lost' && trouble.symbol !== null)).toMatchObject([
      { symbol: 'BTC-USD', why: '6 trades are missing before 8', from: NOON - 1 },
    ])
  })

  test('P1: make the same price count again after an unreadable ticker', () => {
    const { recorder, talk, hear, skip } = begin({ 'BTC-USD': 'ticker' })
    hear(ticker('5', NOON), ticker('5', NOON + 1_000))
    hearText(talk, JSON.stringify({ ...ticker('', NOON + 2_000), sequence_num: 2 }))
    skip(1)
    hear(heartbeat(NOON + 2_500), ticker('5', NOON + 3_000), ticker('5', NOON + 4_000))
    expect(recorder.quotes.map(({ price, time }) => [price, time - NOON])).toEqual([
      ['5', 0],
      ['5', 3_000],
    ])
    expect(recorder.alives.map(({ time }) => time - NOON)).toEqual([999, 3_999])
    expect(lost(recorder)).toMatchObject([{ symbol: 'BTC-USD', from: NOON + 999 }])
  })
})
