import { describe, expect, it, test } from 'vitest'
import { FinnhubLine } from '#server/feeds/providers/finnhub/finnhub-line.ts'
import { FinnhubTold } from '#server/feeds/providers/finnhub/finnhub-told.ts'
import { systemClock } from '#server/system.ts'
import { ProviderRecorder } from '#testing/providers/provider-recorder.ts'
import { RecordedLine, say } from '#testing/providers/read-by-line.ts'
import { readWire } from '#testing/providers/read-wire.ts'

const NOON = Date.UTC(2026, 0, 5, 17)
const [PING = '', TOO_MANY = '', INVALID = ''] = readWire('finnhub-control.jsonl')
const STOCKS = readWire('finnhub-trade-stocks-quoted.jsonl')
const [TSLA = '', XOM = '', AAPL = '', CLOV = ''] = STOCKS
const COINS = readWire('finnhub-trade-crypto-quoted.jsonl')

function begin(...followed: readonly string[]) {
  const heard = new ProviderRecorder()
  const told = new FinnhubTold(heard, { clock: systemClock })
  const symbols = new Map(followed.map((symbol) => [symbol, 'trade' as const]))
  const open = () => {
    const line = new RecordedLine()
    return { line, talk: new FinnhubLine({ line, symbols, told, sink: heard }) }
  }
  return { heard, open, ...open() }
}

interface Trade {
  readonly p: unknown
  readonly t: unknown
  readonly v?: unknown
  readonly s?: unknown
  readonly c?: unknown
}

function frame(...trades: readonly Trade[]) {
  return { data: trades.map((trade) => ({ c: ['1'], s: 'AAPL', v: 1, ...trade })), type: 'trade' }
}

function prices({ quotes }: ProviderRecorder): string[] {
  return quotes.map(({ price }) => price)
}

describe('a connection', () => {
  test('asks for each symbol, with the name it has at Finnhub', () => {
    const { line, talk } = begin('AAPL', 'OANDA:EUR_USD', 'IC MARKETS:1')
    talk.ask(['BINANCE:BTCUSDT'])
    expect(line.sent).toEqual(
      ['AAPL', 'OANDA:EUR_USD', 'IC MARKETS:1', 'BINANCE:BTCUSDT'].map((symbol) => ({ type: 'subscribe', symbol })),
    )
  })

  test('is of use from its first message on, be it a ping, which is no sign of life of any symbol', () => {
    const { heard, line, talk } = begin('AAPL')
    expect(line.isReady).toBe(false)
    say(talk, PING)
    expect(line.isReady).toBe(true)
    expect(heard).toEqual(new ProviderRecorder())
  })

  it.each([
    [TOO_MANY, null, 'Subscribing to too many symbols'],
    [INVALID, 'FX:EURUSD', 'Invalid symbol FX:EURUSD'],
    ['{"msg":"Invalid symbol IC MARKETS:1","type":"error"}', 'IC MARKETS:1', 'Invalid symbol IC MARKETS:1'],
  ])('%s is a refusal', (error, symbol, why) => {
    const { heard, talk } = begin('AAPL')
    say(talk, error)
    expect(heard.troubles).toEqual([{ kind: 'refused', symbol, why }])
  })

  test('messages of other types are left alone', () => {
    const { heard, talk } = begin('AAPL')
    say(talk, { type: 'news', data: [{}] })
    expect(heard.troubles).toEqual([])
  })
})

describe('order', () => {
  test('the recorded frames whose times run back are put in order, those of one millisecond as they were sent', () => {
    const { heard, talk } = begin('XOM', 'AAPL')
    say(talk, XOM, AAPL)
    expect(heard.quotes.map(({ symbol, price, volume, time }) => [symbol, price, volume, time])).toEqual([
      ['XOM', '118.81', '101', 1_676_055_242_333],
      ['XOM', '118.81', '79', 1_676_055_242_333],
      ['XOM', '118.81', '100', 1_676_055_242_333],
      ['XOM', '118.81', '100', 1_676_055_242_333],
      ['XOM', '118.81', '100', 1_676_055_242_333],
      ['XOM', '118.81', '10', 1_676_055_242_334],
      ['XOM', '118.815', '1', 1_676_055_242_474],
      ['AAPL', '226.8988', '1', 1_731_599_125_982],
      ['AAPL', '226.8812', '1', 1_731_599_125_982],
      ['AAPL', '226.88', '1', 1_731_599_125_982],
      ['AAPL', '226.89', '30', 1_731_599_126_006],
    ])
  })

  test('the recorded burst of one millisecond over two frames is kept whole: equal trades are several trades', () => {
    const { heard, talk } = begin('AAPL')
    say(talk, ...readWire('finnhub-trade-aapl-20230331.jsonl'))
    expect(heard.quotes.filter(({ time }) => time === 1_680_286_539_953)).toHaveLength(13)
    expect(heard.quotes).toHaveLength(recordedTrades(readWire('finnhub-trade-aapl-20230331.jsonl')))
  })

  test('what is older than the newest before it is left out', () => {
    const { heard, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }), frame({ p: 9, t: NOON - 1 }, { p: 11, t: NOON }), frame({ p: 8, t: NOON - 1 }))
    expect(prices(heard)).toEqual(['10', '11'])
  })

  test('of each symbol by itself', () => {
    const { heard, talk } = begin('AAPL', 'MSFT')
    say(talk, frame({ p: 10, t: NOON }), frame({ p: 20, t: NOON - 50, s: 'MSFT' }))
    expect(prices(heard)).toEqual(['10', '20'])
  })

  test('after a new connection all of the last millisecond is left out: it may be sent again', () => {
    const { heard, talk, open } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }))
    const { talk: next } = open()
    say(
      next,
      frame({ p: 10, t: NOON }),
      frame({ p: 12, t: NOON }, { p: 13, t: NOON + 1 }),
      frame({ p: 14, t: NOON + 1 }),
    )
    expect(prices(heard)).toEqual(['10', '13', '14'])
  })

  test('a time far in the future does not shut out what follows', () => {
    const { heard, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: systemClock.now() + 3_600_000 }), frame({ p: 11, t: NOON }))
    expect(prices(heard)).toEqual(['11'])
    expect(heard.kinds()).toEqual(new Set(['unreadable']))
  })
})

describe('conditions', () => {
  test('a recorded trade outside the regular session makes no price, but shows that its symbol is alive', () => {
    const { heard, talk } = begin('TSLA', 'AAPL', 'MSFT')
    say(talk, TSLA)
    expect(heard.quotes).toEqual([])
    expect(heard.alives).toEqual([
      { symbol: 'TSLA', time: 1_672_348_887_197, quotesBefore: 0 },
      { symbol: 'AAPL', time: 1_672_348_887_784, quotesBefore: 0 },
    ])
  })

  test('a frame that holds the opening: a sign of life never speaks of a price that comes later', () => {
    const { heard, talk } = begin('AAPL')
    say(
      talk,
      frame({ p: 10, t: NOON - 2, c: ['1', '24'] }, { p: 11, t: NOON }, { p: 12, t: NOON, c: ['24'] }),
      frame({ p: 13, t: NOON }),
    )
    expect(prices(heard)).toEqual(['11', '13'])
    expect(heard.latecomers()).toEqual([])
  })

  it.each([
    ['absent', undefined],
    ['null', null],
    ['none', []],
    ['odd lot', ['1', '8', '12']],
  ])('%s: a price like any other', (_, c) => {
    const { heard, talk } = begin('AAPL')
    say(talk, frame({ p: 164.0591, t: NOON, c }))
    expect(prices(heard)).toEqual(['164.0591'])
  })

  test('the recorded trade of a regular session has none of them', () => {
    const { heard, talk } = begin('CLOV')
    say(talk, CLOV)
    expect(prices(heard)).toEqual(['9.35', '9.355', '9.359', '9.3581', '9.3583'])
  })
})

describe('numbers', () => {
  it.each<[unknown, string]>([
    [164.0601, '164.0601'],
    [1.06618, '1.06618'],
    [0.00008, '0.00008'],
    [5.2e-7, '0.00000052'],
    [61_837, '61837'],
  ])('%s is exactly %s', (p, price) => {
    const { heard, talk } = begin('AAPL')
    say(talk, frame({ p, t: NOON }))
    expect(prices(heard)).toEqual([price])
  })

  test('currencies have no volume', () => {
    const { heard, talk } = begin('IC MARKETS:1')
    say(talk, ...readWire('finnhub-trade-forex-quoted.jsonl'))
    expect(heard.quotes.map(({ price, volume }) => [price, volume])).toEqual([
      ['1.06618', '0'],
      ['1.06619', '0'],
    ])
  })

  it.each([0, -1, null, '1e5', 1e21, true])('a price of %j: nothing is taken from the frame', (p) => {
    const { heard, talk } = begin('AAPL')
    expect(() => say(talk, frame({ p: 10, t: NOON }, { p, t: NOON }))).toThrow('trade.data.1.p: not a price')
    expect(heard.quotes).toEqual([])
  })
})

test('the recorded frame of a stock and a coin gives to each what is its own, and nothing to others', () => {
  const { heard, talk } = begin('AAPL', 'BINANCE:ETHUSDT', 'BINANCE:BTCUSDT')
  say(talk, COINS[3] ?? '')
  expect(prices(heard)).toEqual(['1731.1', '1731.1', '1731.09'])
  expect(heard.alives).toEqual([{ symbol: 'AAPL', time: 1_696_250_801_553, quotesBefore: 3 }])
})

test('symbols that are not followed say nothing', () => {
  const { heard, talk } = begin('MSFT')
  say(talk, ...STOCKS, ...COINS)
  expect(heard).toEqual(new ProviderRecorder())
})

function recordedTrades(messages: readonly string[]): number {
  return messages.reduce((sum, text) => sum + (JSON.parse(text) as { data: unknown[] }).data.length, 0)
}
