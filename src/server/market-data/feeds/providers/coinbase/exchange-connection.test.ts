import { describe, expect, it, test } from 'vitest'
import { instant, toIso } from '#core/time/instant.ts'
import { ExchangeConnection } from '#server/market-data/feeds/providers/coinbase/exchange-connection.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { hear, RecordedLine, say } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const NOON = Date.UTC(2026, 0, 5, 12)
const [HEARTBEAT = '', , , INVALID = '', DELISTED = '', PRIVATE = ''] = readWire(
  'coinbase-exchange-control-quoted.jsonl',
)
const RECORDED = readWire('coinbase-exchange-ticker-match-20210417.jsonl')

function begin(...products: readonly string[]) {
  const recorder = new ProviderRecorder()
  const deduplicator = new CoinbaseTradeDeduplicator(recorder, { clock: new FakeClock(NOON) })
  const symbols = new Map(products.map((product) => [product, 'trade' as const]))
  const open = () => {
    const line = new RecordedLine()
    return { line, talk: new ExchangeConnection({ line, symbols, deduplicator, sink: recorder }) }
  }
  return { recorder, symbols, open, ...open() }
}

function match(id: number, at: number, product = 'ETH-USD') {
  const time = new Date(at).toISOString()
  return { type: 'match', product_id: product, trade_id: id, price: `${id}.5`, size: '1', time, side: 'buy' }
}

function heartbeat(id: number, at: number, product = 'ETH-USD') {
  return { type: 'heartbeat', product_id: product, last_trade_id: id, time: new Date(at).toISOString(), sequence: 7 }
}

function granted(...products: readonly string[]) {
  return { type: 'subscriptions', channels: ['matches', 'heartbeat'].map((name) => ({ name, product_ids: products })) }
}

const subscribe = (...product_ids: readonly string[]) => ({
  type: 'subscribe',
  product_ids,
  channels: ['matches', 'heartbeat'],
})

test('subscribes matches and heartbeats, and is ready after the last confirmation in any order', () => {
  const { line, talk } = begin('BTC-USD', 'ETH-USD')
  expect(line.sent).toEqual([subscribe('BTC-USD', 'ETH-USD')])
  say(talk, { type: 'subscriptions', channels: [{ name: 'matches', product_ids: ['ETH-USD', 'BTC-USD'] }] })
  say(talk, granted('ETH-USD'))
  expect(line.isReady).toBe(false)
  say(talk, granted('ETH-USD', 'BTC-USD'))
  expect(line.isReady).toBe(true)
})

test('accepts the recorded confirmation, which repeats all channels and grants no other channel', () => {
  const { line, talk } = begin('SKL-USD')
  say(talk, ...RECORDED.filter((text) => text.includes('"subscriptions"')))
  expect(line.isReady).toBe(false)
})

it.each([
  [INVALID, 'ETH-USD', 'Failed to subscribe: ETH-USD is not a valid product'],
  [DELISTED, 'LOOM-USDC', 'Failed to subscribe: LOOM-USDC is delisted'],
])('%s: refuses the named product, and requests the others again', (error, symbol, why) => {
  const { recorder, line, talk } = begin('BTC-USD', symbol, 'SOL-USD')
  say(talk, error, error)
  expect(recorder.troubles).toEqual([{ kind: 'refused', symbol, why }])
  expect(line.sent.slice(1)).toEqual([subscribe('BTC-USD', 'SOL-USD')])
  say(talk, granted('SOL-USD', 'BTC-USD'))
  expect(line.isReady).toBe(true)
})

test('passes on an error that names no product', () => {
  const { recorder, line, talk } = begin('BTC-USD')
  say(talk, PRIVATE)
  expect(recorder.troubles).toEqual([
    {
      kind: 'refused',
      symbol: null,
      why: 'Failed to subscribe: level2, level3, and full channels now require authentication.',
    },
  ])
  expect(line.isReady).toBe(false)
  expect(line.sent).toHaveLength(1)
})

test('the connection is ready at once when all products are refused', () => {
  const { line, talk } = begin('ETH-USD')
  say(talk, INVALID)
  expect(line.isReady).toBe(true)
  expect(line.sent).toHaveLength(1)
})

test('takes an old first match as a price of its own time, and not as a heartbeat', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(100, NOON - 7_000))
  expect(recorder.quotes).toEqual([
    { symbol: 'ETH-USD', price: '100.5', volume: '1', time: instant(NOON - 7_000), ref: 100 },
  ])
  expect(recorder.alives).toEqual([])
})

test('does not report the same match again after a reconnect, but reports the next one', () => {
  const { recorder, talk, open } = begin('ETH-USD')
  say(talk, match(100, NOON))
  const { talk: next } = open()
  say(next, { ...match(100, NOON), type: 'last_match' }, match(101, NOON + 5))
  expect(recorder.quotes.map(({ price }) => price)).toEqual(['100.5', '101.5'])
  expect(recorder.kinds()).not.toContain('lost')
})

test('reports trades during a disconnection as lost, and lets the age of the price decide whether the loss counts', () => {
  const { recorder, talk, open } = begin('ETH-USD')
  say(talk, match(100, NOON))
  const { talk: next } = open()
  say(next, { ...match(103, NOON + 5), type: 'last_match' })
  expect(recorder.quotes.map(({ ref }) => ref)).toEqual([100, 103])
  expect(recorder.troubles).toEqual([{ kind: 'lost', symbol: 'ETH-USD', why: '2 trades are missing before 103' }])
})

test('notices a missing trade on an open connection, which a ticker would have hidden', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(100, NOON), match(102, NOON + 5))
  const lost = { kind: 'lost', symbol: 'ETH-USD', why: '1 trades are missing before 102', from: NOON - 1 }
  expect(recorder.troubles).toEqual([lost])
})

test('counts a trade as out of order when its time is before that of an earlier trade', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(100, NOON), match(101, NOON - 5), match(102, NOON - 3), match(103, NOON))
  expect(recorder.quotes.map(({ ref }) => ref)).toEqual([100, 103])
  expect(recorder.unusedTrades).toEqual([101, 102].map((back) => ({ symbol: 'ETH-USD', reason: 'out_of_order', back })))
})

test('makes no price of tickers, order book changes and the state of products', () => {
  const { recorder, talk } = begin('BAND-GBP')
  say(talk, ...RECORDED.filter((text) => text.includes('"ticker"') && text.includes('BAND-GBP')))
  say(talk, { type: 'l2update', product_id: 'BAND-GBP', changes: [['buy', '1', '2']], time: toIso(instant(NOON)) })
  say(talk, { type: 'status', products: [] })
  expect(recorder.quotes).toEqual([])
  expect(recorder.troubles).toEqual([])
})

test('gets no match of a product that was never traded', () => {
  const { recorder, talk } = begin('NEW-USD')
  say(talk, heartbeat(0, NOON, 'NEW-USD'))
  expect(recorder).toEqual(new ProviderRecorder())
})

test('treats a heartbeat that names the last received trade as proof that nothing is missing, except trades in flight', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(100, NOON - 7_000), heartbeat(100, NOON), heartbeat(100, NOON + 1_000))
  expect(recorder.alives.map(({ time }) => time)).toEqual([NOON - 251, NOON + 749])
  expect(recorder.troubles).toEqual([])
})

test('gets no confirmation without a trade, and the recorded heartbeat covers only its product', () => {
  const { recorder, talk } = begin('ETH-USD', 'BTC-USD')
  say(talk, HEARTBEAT, match(100, NOON, 'BTC-USD'))
  expect(recorder.alives).toEqual([])
})

test('does not confirm a product until the trade that a heartbeat names arrives', () => {
  const { recorder, line, talk } = begin('ETH-USD')
  say(talk, match(100, NOON), heartbeat(101, NOON + 900))
  say(talk, match(101, NOON + 850), heartbeat(102, NOON + 1_900), match(102, NOON + 1_880))
  expect(recorder.alives).toEqual([])
  say(talk, heartbeat(102, NOON + 2_900))
  expect(recorder.alives).toHaveLength(1)
  expect(recorder.troubles).toEqual([])
  expect(line.sent).toHaveLength(1)
})

test('reports a trade as lost if it is still missing at the next heartbeat, and requests it less and less often', () => {
  const { recorder, line, talk } = begin('ETH-USD')
  say(talk, match(100, NOON))
  const lostAt: number[] = []
  for (let n = 1; n <= 32; n += 1) {
    const before = recorder.troubles.length
    say(talk, heartbeat(101, NOON + n * 1_000))
    if (recorder.troubles.length > before) lostAt.push(n)
  }
  expect(lostAt).toEqual([2, 4, 8, 16, 32])
  expect(recorder.troubles[0]).toEqual({ kind: 'lost', symbol: 'ETH-USD', why: 'trade 101 has not come' })
  expect(recorder.alives).toEqual([])
  expect(line.sent.slice(1, 3)).toEqual([
    { type: 'unsubscribe', product_ids: ['ETH-USD'], channels: ['matches'] },
    { type: 'subscribe', product_ids: ['ETH-USD'], channels: ['matches'] },
  ])
  say(talk, match(101, NOON + 500), heartbeat(101, NOON + 33_000))
  expect(recorder.quotes).toHaveLength(2)
  expect(recorder.alives).toHaveLength(1)
})

test('counts a trade older than the last heartbeat instead of reporting it', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(100, NOON), heartbeat(100, NOON + 5_000), match(101, NOON + 4_000), match(102, NOON + 5_100))
  expect(recorder.quotes.map(({ price }) => price)).toEqual(['100.5', '102.5'])
  const lost = { kind: 'lost', symbol: 'ETH-USD', why: 'trade 101 came after newer ones' }
  expect(recorder.troubles).toEqual([{ ...lost, from: NOON + 4_749 }])
  expect(recorder.latecomers()).toEqual([])
})

test('accepts prices after a time far in the future', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(100, NOON + 3_600_000), heartbeat(100, NOON + 3_600_000), match(101, NOON))
  expect(recorder.quotes.map(({ price }) => price)).toEqual(['101.5'])
  expect(recorder.alives).toEqual([])
  expect(recorder.kinds()).toEqual(new Set(['unreadable']))
})

test('continues after a minute when ids begin again', () => {
  const { recorder, talk } = begin('ETH-USD')
  say(talk, match(900_000, NOON - 90_000), match(5, NOON - 45_000), match(6, NOON - 29_000), match(7, NOON))
  expect(recorder.quotes.map(({ price }) => price)).toEqual(['900000.5', '6.5', '7.5'])
  expect(recorder.kinds()).toEqual(new Set(['lost']))
})

test('subscribes more products, and sends a request on a quiet connection', () => {
  const { line, symbols, talk } = begin('BTC-USD')
  symbols.set('ETH-USD', 'trade')
  talk.ask(['ETH-USD'])
  say(talk, INVALID)
  talk.probe()
  expect(line.sent.slice(1)).toEqual([
    subscribe('ETH-USD'),
    subscribe('BTC-USD'),
    { type: 'subscribe', product_ids: ['BTC-USD'], channels: ['heartbeat'] },
  ])
})

describe('unreadable messages of Coinbase Exchange', () => {
  const lost = ({ troubles }: ProviderRecorder) => troubles.filter(({ kind }) => kind === 'lost')
  const garbled = (id: number, at: number, change: (text: string) => string) => change(JSON.stringify(match(id, at)))

  test.each<[string, (text: string) => string, number]>([
    ['a price', (text) => text.replace('"101.5"', '""'), 499],
    ['a price that is a number', (text) => text.replace('"101.5"', '101.5'), 499],
    ['a volume', (text) => text.replace('"1"', 'null'), 499],
    ['a time', (text) => text.replace(/"time":"[^"]+"/, '"time":""'), -1],
    ['an id', (text) => text.replace(':101', ':"101"'), 499],
    ['a product', (text) => text.replace('"ETH-USD"', '7'), -1],
    ['the name of a product', (text) => text.replace('"ETH-USD"', '"eth-usd"'), -1],
    ['a whole id', (text) => text.replace(':101', ':101.0'), 499],
    ['a known type', (text) => text.replace('"match"', '"mat"'), -1],
    ['its end', (text) => text.slice(0, -1), -1],
    ['one price only', (text) => text.replace('"price":', '"price":"9","price":'), -1],
    ['trade and time', (text) => text.replace('"trade_id":101,', '').replace(/"time":"[^"]+",/, ''), -1],
  ])('P1: make the price after a match without %s report since when a match is missing', (_, change, from) => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON))
    hear(talk, garbled(101, NOON + 500, change))
    say(talk, heartbeat(101, NOON + 900))
    expect(recorder.alives).toEqual([])
    say(talk, match(102, NOON + 950), heartbeat(102, NOON + 1_900))
    expect(recorder.quotes.map(({ price }) => price)).toEqual(['100.5', '102.5'])
    expect(lost(recorder)).toMatchObject([{ symbol: 'ETH-USD', from: NOON + from }])
    expect(recorder.alives).toHaveLength(1)
  })

  test('P1: are not a loss when a heartbeat names our last trade', () => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON))
    hear(talk, '{"type":"match"')
    say(talk, heartbeat(100, NOON + 900), match(101, NOON + 950))
    expect(recorder.alives).toHaveLength(1)
    expect(lost(recorder)).toEqual([])
  })

  test('P1: are not a loss when the trade that a heartbeat names arrives late', () => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON), heartbeat(101, NOON + 900), heartbeat(101, NOON + 1_900))
    expect(lost(recorder)).toEqual([{ kind: 'lost', symbol: 'ETH-USD', why: 'trade 101 has not come' }])
    say(talk, match(101, NOON + 500), heartbeat(101, NOON + 2_900))
    expect(recorder.quotes).toHaveLength(2)
    expect(lost(recorder)).toHaveLength(1)
    expect(recorder.alives).toHaveLength(1)
  })

  test.each([0, null, undefined])('P5: are not implied by a heartbeat whose last trade is %s', (id) => {
    const { recorder, line, talk } = begin('ETH-USD', 'NEW-USD')
    say(talk, match(100, NOON))
    for (let n = 1; n <= 20; n += 1) {
      say(talk, { ...heartbeat(1, NOON + n * 1_000), last_trade_id: id })
      say(talk, { ...heartbeat(1, NOON + n * 1_000, 'NEW-USD'), last_trade_id: id })
    }
    expect(recorder.troubles).toEqual([])
    expect(recorder.alives).toEqual([])
    expect(line.sent).toHaveLength(1)
  })

  test.each([
    ['a price', (text: string) => text.replace('"101.5"', '"x"'), 499],
    ['price and id', (text: string) => text.replace('"101.5"', '"x"').replace(':101', ':null'), 499],
    ['price and time', (text: string) => text.replace('"101.5"', '"x"').replace(/"time":"[^"]+"/, '"time":7'), -1],
  ])('P1: are not explained by a heartbeat naming the trade before a match without %s', (_, change, from) => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON))
    hear(talk, garbled(101, NOON + 500, change))
    say(talk, heartbeat(100, NOON + 900), heartbeat(100, NOON + 1_900))
    expect(recorder.alives).toEqual([])
    say(talk, match(102, NOON + 1_950), heartbeat(102, NOON + 2_900))
    expect(lost(recorder)).toMatchObject([{ symbol: 'ETH-USD', from: NOON + from }])
    expect(recorder.alives).toHaveLength(1)
  })

  test('P1: are explained by a heartbeat only up to the time that the heartbeat covers', () => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON))
    hear(talk, '{"type":"match"')
    say(talk, heartbeat(100, NOON + 900), match(102, NOON + 950))
    expect(recorder.alives).toMatchObject([{ time: NOON + 649 }])
    expect(lost(recorder)).toMatchObject([{ symbol: 'ETH-USD', from: NOON + 649 }])
    hear(talk, '{"type":"match"')
    say(talk, heartbeat(102, NOON + 1_900), heartbeat(102, NOON + 2_900), match(103, NOON + 3_000))
    expect(lost(recorder)).toHaveLength(1)
  })

  test('P1: are not explained by a heartbeat naming our trade after one naming a newer trade', () => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON), heartbeat(101, NOON + 900), heartbeat(100, NOON + 1_900))
    expect(recorder.alives).toEqual([])
    say(talk, match(102, NOON + 1_950), heartbeat(102, NOON + 2_900))
    expect(recorder.alives).toHaveLength(1)
  })

  test('P1: are not explained by a repeat of an earlier trade', () => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(100, NOON))
    hear(talk, '{"type":"match"')
    say(talk, match(100, NOON), match(102, NOON + 950))
    expect(lost(recorder)).toMatchObject([{ symbol: 'ETH-USD', from: NOON - 1 }])
  })

  test('P2: are counted without opening a hole for a product without a subscription', () => {
    const { recorder, talk } = begin('BTC-USD', 'ETH-USD')
    say(talk, match(100, NOON), match(100, NOON, 'BTC-USD'))
    say(talk, match(5, NOON + 50, 'XRP-USD'), match(6, NOON + 60, 'ETH-USDC'))
    hear(talk, JSON.stringify(match(7, NOON + 70, 'XRP-USD')).replace('"7.5"', '"x"'))
    say(talk, match(101, NOON + 600), match(101, NOON + 600, 'BTC-USD'))
    expect(recorder.quotes).toHaveLength(4)
    expect(lost(recorder)).toEqual([])
    expect(recorder.unusedTrades).toEqual([1, 2, 3].map(() => ({ symbol: null, reason: 'not_followed' })))
  })

  test('P5: count an unreported late match as out of order, and as repeated the second time', () => {
    const { recorder, talk } = begin('ETH-USD')
    say(talk, match(102, NOON + 20), match(101, NOON + 10), match(101, NOON + 10), match(102, NOON + 20))
    expect(recorder.unusedTrades.map(({ reason }) => reason)).toEqual(['out_of_order', 'repeated', 'repeated'])
  })
})
