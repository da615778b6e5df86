import { describe, expect, it, test } from 'vitest'
import { instant, toIso } from '#core/time/instant.ts'
import { ExchangeLine } from '#server/market-data/feeds/providers/coinbase/exchange-connection.ts'
import { ToldSoFar } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
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
  const heard = new ProviderRecorder()
  const told = new ToldSoFar(heard, { clock: new FakeClock(NOON) })
  const symbols = new Map(products.map((product) => [product, 'trade' as const]))
  const open = () => {
    const line = new RecordedLine()
    return { line, talk: new ExchangeLine({ line, symbols, told, sink: heard }) }
  }
  return { heard, symbols, open, ...open() }
}

function ticker(id: number, at: number, product = 'ETH-USD') {
  const time = new Date(at).toISOString()
  return { type: 'ticker', product_id: product, trade_id: id, price: `${id}.5`, last_size: '1', time, side: 'buy' }
}

function heartbeat(id: number, at: number, product = 'ETH-USD') {
  return { type: 'heartbeat', product_id: product, last_trade_id: id, time: new Date(at).toISOString(), sequence: 7 }
}

function granted(...products: readonly string[]) {
  return { type: 'subscriptions', channels: ['ticker', 'heartbeat'].map((name) => ({ name, product_ids: products })) }
}

const subscribe = (...product_ids: readonly string[]) => ({
  type: 'subscribe',
  product_ids,
  channels: ['ticker', 'heartbeat'],
})

test('it asks for tickers and heartbeats, and is ready when the last of them is granted, in whatever order', () => {
  const { line, talk } = begin('BTC-USD', 'ETH-USD')
  expect(line.sent).toEqual([subscribe('BTC-USD', 'ETH-USD')])
  say(talk, { type: 'subscriptions', channels: [{ name: 'ticker', product_ids: ['ETH-USD', 'BTC-USD'] }] })
  say(talk, granted('ETH-USD'))
  expect(line.isReady).toBe(false)
  say(talk, granted('ETH-USD', 'BTC-USD'))
  expect(line.isReady).toBe(true)
})

test('the recorded answer repeats all channels each time, and grants only what it names', () => {
  const { line, talk } = begin('SKL-USD')
  say(talk, ...RECORDED.filter((text) => text.includes('"subscriptions"')))
  expect(line.isReady).toBe(false)
})

it.each([
  [INVALID, 'ETH-USD', 'Failed to subscribe: ETH-USD is not a valid product'],
  [DELISTED, 'LOOM-USDC', 'Failed to subscribe: LOOM-USDC is delisted'],
])('%s: says which product, and asks anew for the others, which were ignored with it', (error, symbol, why) => {
  const { heard, line, talk } = begin('BTC-USD', symbol, 'SOL-USD')
  say(talk, error, error)
  expect(heard.troubles).toEqual([{ kind: 'refused', symbol, why }])
  expect(line.sent.slice(1)).toEqual([subscribe('BTC-USD', 'SOL-USD')])
  say(talk, granted('SOL-USD', 'BTC-USD'))
  expect(line.isReady).toBe(true)
})

test('an error that names no product is passed on as it is', () => {
  const { heard, line, talk } = begin('BTC-USD')
  say(talk, PRIVATE)
  expect(heard.troubles).toEqual([
    {
      kind: 'refused',
      symbol: null,
      why: 'Failed to subscribe: level2, level3, and full channels now require authentication.',
    },
  ])
  expect(line.isReady).toBe(false)
  expect(line.sent).toHaveLength(1)
})

test('when all products are refused there is nothing to wait for', () => {
  const { line, talk } = begin('ETH-USD')
  say(talk, INVALID)
  expect(line.isReady).toBe(true)
  expect(line.sent).toHaveLength(1)
})

test('the first ticker may be old: it is a price of its own time, and no sign of life', () => {
  const { heard, talk } = begin('ETH-USD')
  say(talk, ticker(100, NOON - 7_000))
  expect(heard.quotes).toEqual([{ symbol: 'ETH-USD', price: '100.5', volume: '1', time: instant(NOON - 7_000) }])
  expect(heard.alives).toEqual([])
})

test('the same ticker again, as after a reconnect, is not told again; the next one is', () => {
  const { heard, talk, open } = begin('ETH-USD')
  say(talk, ticker(100, NOON))
  const { talk: next } = open()
  say(next, ticker(100, NOON), ticker(103, NOON + 5))
  expect(heard.quotes.map(({ price }) => price)).toEqual(['100.5', '103.5'])
  // Other trades of the same order may lie between the two.
  expect(heard.kinds()).not.toContain('lost')
})

test('matches, changes of the book and the opposite side of a trade make no price', () => {
  const { heard, talk } = begin('BAND-GBP')
  say(talk, ...RECORDED.filter((text) => text.includes('match"') && text.includes('BAND-GBP')))
  say(talk, { type: 'l2update', product_id: 'BAND-GBP', changes: [['buy', '1', '2']], time: toIso(instant(NOON)) })
  say(talk, { type: 'status', products: [] })
  expect(heard.quotes).toEqual([])
  expect(heard.troubles).toEqual([])
})

test('a product that was never traded has a ticker without a trade', () => {
  const { heard, talk } = begin('NEW-USD')
  say(talk, { type: 'ticker', product_id: 'NEW-USD', sequence: 1, price: '0', best_bid: '0', best_ask: '0' })
  say(talk, heartbeat(0, NOON, 'NEW-USD'))
  expect(heard).toEqual(new ProviderRecorder())
})

test('a heartbeat that names the last trade we have says that nothing is missing, up to what may be on its way', () => {
  const { heard, talk } = begin('ETH-USD')
  say(talk, ticker(100, NOON - 7_000), heartbeat(100, NOON), heartbeat(100, NOON + 1_000))
  expect(heard.alives.map(({ time }) => time)).toEqual([NOON - 251, NOON + 749])
  expect(heard.troubles).toEqual([])
})

test('without a trade it says nothing, and the recorded one speaks only of its product', () => {
  const { heard, talk } = begin('ETH-USD', 'BTC-USD')
  say(talk, HEARTBEAT, ticker(100, NOON, 'BTC-USD'))
  expect(heard.alives).toEqual([])
})

test('a trade that a heartbeat names may still come; until then the product is not alive', () => {
  const { heard, line, talk } = begin('ETH-USD')
  say(talk, ticker(100, NOON), heartbeat(101, NOON + 900))
  say(talk, ticker(101, NOON + 850), heartbeat(102, NOON + 1_900), ticker(102, NOON + 1_880))
  expect(heard.alives).toEqual([])
  say(talk, heartbeat(102, NOON + 2_900))
  expect(heard.alives).toHaveLength(1)
  expect(heard.troubles).toEqual([])
  expect(line.sent).toHaveLength(1)
})

test('one that has not come at the next heartbeat is lost: it asks for the last trade, ever less often', () => {
  const { heard, line, talk } = begin('ETH-USD')
  say(talk, ticker(100, NOON))
  const lostAt: number[] = []
  for (let n = 1; n <= 32; n += 1) {
    const before = heard.troubles.length
    say(talk, heartbeat(105, NOON + n * 1_000))
    if (heard.troubles.length > before) lostAt.push(n)
  }
  expect(lostAt).toEqual([2, 4, 8, 16, 32])
  expect(heard.troubles[0]).toEqual({ kind: 'lost', symbol: 'ETH-USD', why: 'trade 105 has not come' })
  expect(heard.alives).toEqual([])
  expect(line.sent.slice(1, 3)).toEqual([
    { type: 'unsubscribe', product_ids: ['ETH-USD'], channels: ['ticker'] },
    { type: 'subscribe', product_ids: ['ETH-USD'], channels: ['ticker'] },
  ])
  say(talk, ticker(105, NOON + 500), heartbeat(105, NOON + 33_000))
  expect(heard.quotes).toHaveLength(2)
  expect(heard.alives).toHaveLength(1)
})

test('a trade behind a sign of life is reported instead of told', () => {
  const { heard, talk } = begin('ETH-USD')
  say(talk, ticker(100, NOON), heartbeat(100, NOON + 5_000), ticker(101, NOON + 4_000), ticker(102, NOON + 5_100))
  expect(heard.quotes.map(({ price }) => price)).toEqual(['100.5', '102.5'])
  const lost = { kind: 'lost', symbol: 'ETH-USD', why: 'trade 101 came after newer ones' }
  expect(heard.troubles).toEqual([{ ...lost, from: NOON + 4_749 }])
  expect(heard.latecomers()).toEqual([])
})

test('a time far in the future does not shut out what follows', () => {
  const { heard, talk } = begin('ETH-USD')
  say(talk, ticker(100, NOON + 3_600_000), heartbeat(100, NOON + 3_600_000), ticker(101, NOON))
  expect(heard.quotes.map(({ price }) => price)).toEqual(['101.5'])
  expect(heard.alives).toEqual([])
  expect(heard.kinds()).toEqual(new Set(['unreadable']))
})

test('when ids begin anew it goes on after a minute', () => {
  const { heard, talk } = begin('ETH-USD')
  say(talk, ticker(900_000, NOON - 90_000), ticker(5, NOON - 45_000), ticker(6, NOON - 29_000), ticker(7, NOON))
  expect(heard.quotes.map(({ price }) => price)).toEqual(['900000.5', '6.5', '7.5'])
  expect(heard.kinds()).toEqual(new Set(['lost']))
})

test('more products can be asked for; a quiet line asks for what is always answered', () => {
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

describe('what could not be read', () => {
  const lost = ({ troubles }: ProviderRecorder) => troubles.filter(({ kind }) => kind === 'lost')
  const garbled = (id: number, at: number, change: (text: string) => string) => change(JSON.stringify(ticker(id, at)))

  test.each<[string, (text: string) => string, number]>([
    ['a price', (text) => text.replace('"101.5"', '""'), 499],
    ['a price that is a number', (text) => text.replace('"101.5"', '101.5'), 499],
    ['a volume', (text) => text.replace('"1"', 'null'), 499],
    ['a time', (text) => text.replace(/"time":"[^"]+"/, '"time":""'), -1],
    ['an id', (text) => text.replace(':101', ':"101"'), 499],
    ['a product', (text) => text.replace('"ETH-USD"', '7'), -1],
    ['the name of a product', (text) => text.replace('"ETH-USD"', '"eth-usd"'), -1],
    ['a whole id', (text) => text.replace(':101', ':101.0'), 499],
    ['a known type', (text) => text.replace('"ticker"', '"tick"'), -1],
    ['its end', (text) => text.slice(0, -1), -1],
    ['one price only', (text) => text.replace('"price":', '"price":"9","price":'), -1],
    ['trade and time', (text) => text.replace('"trade_id":101,', '').replace(/"time":"[^"]+",/, ''), -1],
  ])('P1: after a ticker without %s the next price says from when one is missing', (_, change, from) => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON))
    hear(talk, garbled(101, NOON + 500, change))
    say(talk, heartbeat(101, NOON + 900))
    expect(heard.alives).toEqual([])
    say(talk, ticker(102, NOON + 950), heartbeat(102, NOON + 1_900))
    expect(heard.quotes.map(({ price }) => price)).toEqual(['100.5', '102.5'])
    expect(lost(heard)).toMatchObject([{ symbol: 'ETH-USD', from: NOON + from }])
    expect(heard.alives).toHaveLength(1)
  })

  test('P1: a heartbeat that names our last trade shows that nothing was missed', () => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON))
    hear(talk, '{"type":"ticker"')
    say(talk, heartbeat(100, NOON + 900), ticker(101, NOON + 950))
    expect(heard.alives).toHaveLength(1)
    expect(lost(heard)).toEqual([])
  })

  test('P1: the trade that a heartbeat names, when it comes after all, closes the hole', () => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON), heartbeat(101, NOON + 900), heartbeat(101, NOON + 1_900))
    expect(lost(heard)).toEqual([{ kind: 'lost', symbol: 'ETH-USD', why: 'trade 101 has not come' }])
    say(talk, ticker(101, NOON + 500), heartbeat(101, NOON + 2_900))
    expect(heard.quotes).toHaveLength(2)
    expect(lost(heard)).toHaveLength(1)
    expect(heard.alives).toHaveLength(1)
  })

  test.each([0, null, undefined])('P5: a heartbeat whose last trade is %s names none', (id) => {
    const { heard, line, talk } = begin('ETH-USD', 'NEW-USD')
    say(talk, ticker(100, NOON))
    for (let n = 1; n <= 20; n += 1) {
      say(talk, { ...heartbeat(1, NOON + n * 1_000), last_trade_id: id })
      say(talk, { ...heartbeat(1, NOON + n * 1_000, 'NEW-USD'), last_trade_id: id })
    }
    expect(heard.troubles).toEqual([])
    expect(heard.alives).toEqual([])
    expect(line.sent).toHaveLength(1)
  })

  test.each([{ trade_id: 0 }, { trade_id: null }, {}])(
    'P5: a ticker of a product without trades, %j, is no trade',
    (id) => {
      const { heard, talk } = begin('NEW-USD')
      const { trade_id: _, ...rest } = ticker(7, NOON, 'NEW-USD')
      say(talk, { ...rest, ...id, price: '0' }, heartbeat(0, NOON, 'NEW-USD'))
      expect(heard.all()).toEqual(new ProviderRecorder().all())
    },
  )

  test.each([
    ['a price', (text: string) => text.replace('"101.5"', '"x"'), 499],
    ['price and id', (text: string) => text.replace('"101.5"', '"x"').replace(':101', ':null'), 499],
    ['price and time', (text: string) => text.replace('"101.5"', '"x"').replace(/"time":"[^"]+"/, '"time":7'), -1],
  ])('P1: a heartbeat that names the trade before a ticker without %s proves nothing', (_, change, from) => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON))
    hear(talk, garbled(101, NOON + 500, change))
    say(talk, heartbeat(100, NOON + 900), heartbeat(100, NOON + 1_900))
    expect(heard.alives).toEqual([])
    say(talk, ticker(102, NOON + 1_950), heartbeat(102, NOON + 2_900))
    expect(lost(heard)).toMatchObject([{ symbol: 'ETH-USD', from: NOON + from }])
    expect(heard.alives).toHaveLength(1)
  })

  test('P1: a heartbeat may have been made before what could not be read: it proves as much as it knew', () => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON))
    hear(talk, '{"type":"ticker"')
    say(talk, heartbeat(100, NOON + 900), ticker(102, NOON + 950))
    expect(heard.alives).toMatchObject([{ time: NOON + 649 }])
    expect(lost(heard)).toMatchObject([{ symbol: 'ETH-USD', from: NOON + 649 }])
    hear(talk, '{"type":"ticker"')
    say(talk, heartbeat(102, NOON + 1_900), heartbeat(102, NOON + 2_900), ticker(105, NOON + 3_000))
    expect(lost(heard)).toHaveLength(1)
  })

  test('P1: after a heartbeat that names a newer trade one that names ours proves nothing', () => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON), heartbeat(101, NOON + 900), heartbeat(100, NOON + 1_900))
    expect(heard.alives).toEqual([])
    say(talk, ticker(102, NOON + 1_950), heartbeat(102, NOON + 2_900))
    expect(heard.alives).toHaveLength(1)
  })

  test('P1: the same trade again is no word about what could not be read after it', () => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(100, NOON))
    hear(talk, '{"type":"ticker"')
    say(talk, ticker(100, NOON), ticker(102, NOON + 950))
    expect(lost(heard)).toMatchObject([{ symbol: 'ETH-USD', from: NOON - 1 }])
  })

  test('P2: a message of a product that nobody follows is counted and makes no hole', () => {
    const { heard, talk } = begin('BTC-USD', 'ETH-USD')
    say(talk, ticker(100, NOON), ticker(100, NOON, 'BTC-USD'))
    say(talk, ticker(5, NOON + 50, 'XRP-USD'), ticker(6, NOON + 60, 'ETH-USDC'))
    hear(talk, JSON.stringify(ticker(7, NOON + 70, 'XRP-USD')).replace('"7.5"', '"x"'))
    say(talk, ticker(105, NOON + 600), ticker(105, NOON + 600, 'BTC-USD'))
    expect(heard.quotes).toHaveLength(4)
    expect(lost(heard)).toEqual([])
    expect(heard.unusedTrades).toEqual([1, 2, 3].map(() => ({ symbol: null, reason: 'not_followed' })))
  })

  test('P5: a late ticker that was never reported is out of order, and repeated when it comes again', () => {
    const { heard, talk } = begin('ETH-USD')
    say(talk, ticker(102, NOON + 20), ticker(101, NOON + 10), ticker(101, NOON + 10), ticker(102, NOON + 20))
    expect(heard.unusedTrades.map(({ reason }) => reason)).toEqual(['out_of_order', 'repeated', 'repeated'])
  })
})
