import { describe, expect, it, test } from 'vitest'
import { FinnhubConnection } from '#server/market-data/feeds/providers/finnhub/finnhub-connection.ts'
import { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { hear, RecordedLine, say } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const NOON = Date.UTC(2026, 0, 5, 17)
const [PING = '', TOO_MANY = '', INVALID = ''] = readWire('finnhub-control.jsonl')
const STOCKS = readWire('finnhub-trade-stocks-quoted.jsonl')
const [TSLA = '', XOM = '', AAPL = '', CLOV = ''] = STOCKS
const COINS = readWire('finnhub-trade-crypto-quoted.jsonl')

function begin(...followed: readonly string[]) {
  const recorder = new ProviderRecorder()
  const deduplicator = new FinnhubTradeDeduplicator(recorder, { clock: systemClock })
  const symbols = new Map(followed.map((symbol) => [symbol, 'trade' as const]))
  const open = () => {
    const line = new RecordedLine()
    return { line, talk: new FinnhubConnection({ line, symbols, deduplicator, sink: recorder }) }
  }
  return { recorder, open, ...open() }
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

describe('a Finnhub connection', () => {
  test('subscribes each symbol by its name at Finnhub', () => {
    const { line, talk } = begin('AAPL', 'OANDA:EUR_USD', 'IC MARKETS:1')
    talk.ask(['BINANCE:BTCUSDT'])
    expect(line.sent).toEqual(
      ['AAPL', 'OANDA:EUR_USD', 'IC MARKETS:1', 'BINANCE:BTCUSDT'].map((symbol) => ({ type: 'subscribe', symbol })),
    )
  })

  test('works from its first message on; a ping is not a heartbeat of any symbol', () => {
    const { recorder, line, talk } = begin('AAPL')
    expect(line.isReady).toBe(false)
    say(talk, PING)
    expect(line.isReady).toBe(true)
    expect(recorder).toEqual(new ProviderRecorder())
  })

  it.each([
    [TOO_MANY, null, 'Subscribing to too many symbols'],
    [INVALID, 'FX:EURUSD', 'Invalid symbol FX:EURUSD'],
    ['{"msg":"Invalid symbol IC MARKETS:1","type":"error"}', 'IC MARKETS:1', 'Invalid symbol IC MARKETS:1'],
  ])('reports %s as a refusal', (error, symbol, why) => {
    const { recorder, talk } = begin('AAPL')
    say(talk, error)
    expect(recorder.troubles).toEqual([{ kind: 'refused', symbol, why }])
  })

  test('ignores messages of other types', () => {
    const { recorder, talk } = begin('AAPL')
    say(talk, { type: 'news', data: [{}] })
    expect(recorder.troubles).toEqual([])
  })
})

describe('the order of Finnhub trades', () => {
  test('sorts the recorded frames by time, and keeps the order within a millisecond', () => {
    const { recorder, talk } = begin('XOM', 'AAPL')
    say(talk, XOM, AAPL)
    // The frames also contain trades of fewer than a hundred shares, which make no price.
    expect(recorder.quotes.map(({ symbol, price, volume, time }) => [symbol, price, volume, time])).toEqual([
      ['XOM', '118.81', '101', 1_676_055_242_333],
      ['XOM', '118.81', '100', 1_676_055_242_333],
      ['XOM', '118.81', '100', 1_676_055_242_333],
      ['XOM', '118.81', '100', 1_676_055_242_333],
    ])
  })

  test('keeps all trades of the recorded burst in one millisecond, because equal trades are separate', () => {
    const { recorder, talk } = begin('AAPL')
    const frames = readWire('finnhub-trade-aapl-20230331.jsonl')
    say(talk, ...frames)
    const used = recorder.quotes.filter(({ time }) => time === 1_680_286_539_953)
    expect(used).toHaveLength(6)
    expect(recorder.unusedTrades.filter(({ reason }) => reason === 'condition')).toHaveLength(
      recordedTrades(frames) - recorder.quotes.length,
    )
  })

  test('leaves out trades older than the newest one', () => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }), frame({ p: 9, t: NOON - 1 }, { p: 11, t: NOON }), frame({ p: 8, t: NOON - 1 }))
    expect(prices(recorder)).toEqual(['10', '11'])
  })

  test('the sequence of trades is checked for each symbol separately', () => {
    const { recorder, talk } = begin('AAPL', 'MSFT')
    say(talk, frame({ p: 10, t: NOON }), frame({ p: 20, t: NOON - 50, s: 'MSFT' }))
    expect(prices(recorder)).toEqual(['10', '20'])
  })

  test('leaves out the last millisecond after a reconnect, because it may be sent again', () => {
    const { recorder, talk, open } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }))
    const { talk: next } = open()
    say(
      next,
      frame({ p: 10, t: NOON }),
      frame({ p: 12, t: NOON }, { p: 13, t: NOON + 1 }),
      frame({ p: 14, t: NOON + 1 }),
    )
    expect(prices(recorder)).toEqual(['10', '13', '14'])
  })

  test('accepts trades after a time far in the future', () => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: systemClock.now() + 3_600_000 }), frame({ p: 11, t: NOON }))
    expect(prices(recorder)).toEqual(['11'])
    expect(recorder.kinds()).toEqual(new Set(['unreadable']))
  })
})

describe('trade conditions of Finnhub', () => {
  test('make no price outside the regular session, but show that the symbol is alive', () => {
    const { recorder, talk } = begin('TSLA', 'AAPL', 'MSFT')
    say(talk, TSLA)
    expect(recorder.quotes).toEqual([])
    expect(recorder.alives).toEqual([
      { symbol: 'TSLA', time: 1_672_348_887_197, quotesBefore: 0 },
      { symbol: 'AAPL', time: 1_672_348_887_784, quotesBefore: 0 },
    ])
  })

  test('let no heartbeat precede a later price in a frame that contains the opening', () => {
    const { recorder, talk } = begin('AAPL')
    say(
      talk,
      frame({ p: 10, t: NOON - 2, c: ['1', '24'] }, { p: 11, t: NOON }, { p: 12, t: NOON, c: ['24'] }),
      frame({ p: 13, t: NOON }),
    )
    expect(prices(recorder)).toEqual(['11', '13'])
    expect(recorder.latecomers()).toEqual([])
  })

  it.each([
    ['absent', undefined],
    ['null', null],
    ['none', []],
    ['a sweep', ['1', '8']],
  ])('%s: make a normal price', (_, c) => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p: 164.0591, t: NOON, c }))
    expect(prices(recorder)).toEqual(['164.0591'])
  })

  test('P3: make no price of recorded odd lots in the regular session', () => {
    const { recorder, talk } = begin('CLOV')
    say(talk, CLOV)
    expect(prices(recorder)).toEqual(['9.355', '9.3583'])
    expect(recorder.unusedTrades).toEqual([1, 2, 3].map(() => ({ symbol: 'CLOV', reason: 'condition' })))
  })

  it.each([
    ['contingent', ['1', '26'], 'condition'],
    ['average price', ['3'], 'condition'],
    ['derivatively priced', ['32', '41'], 'condition'],
    ['out of sequence', ['1', '30'], 'condition'],
    ['prior reference price', ['1', '21'], 'condition'],
    ['odd lot', ['1', '8', '12'], 'condition'],
    ['extended hours', ['1', '24'], 'outside_session'],
  ])('P3: %s makes no price and is counted, and shows that its symbol is alive', (_, c, reason) => {
    const { recorder, talk } = begin('SPY')
    const trade = { s: 'SPY', p: 249.75, t: NOON, c: ['1'] }
    say(talk, frame(trade, { ...trade, p: 257.66, t: NOON + 5, c }, { ...trade, p: 249.76, t: NOON + 9 }))
    expect(prices(recorder)).toEqual(['249.75', '249.76'])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'SPY', reason }])
    expect(recorder.alives.map(({ time }) => time - NOON)).toEqual([4])
    expect(recorder.latecomers()).toEqual([])
  })

  it.each([[12], ['1', 12], '12', 12, { 0: '12' }, [null], [['12']]])(
    'P3: with unreadable conditions, %j, make the trade unreadable, and the next price reports a loss',
    (c) => {
      const { recorder, talk } = begin('AAPL')
      say(talk, frame({ p: 10, t: NOON }, { p: 11, t: NOON + 5, c }), frame({ p: 12, t: NOON + 9 }))
      expect(prices(recorder)).toEqual(['10', '12'])
      expect(recorder.unusedTrades).toEqual([{ symbol: 'AAPL', reason: 'unreadable' }])
      expect(recorder.troubles.at(-1)).toMatchObject({ kind: 'lost', symbol: 'AAPL', from: NOON + 4 })
    },
  )
})

describe('numbers of Finnhub', () => {
  it.each<[unknown, string]>([
    [164.0601, '164.0601'],
    [1.06618, '1.06618'],
    [0.00008, '0.00008'],
    [5.2e-7, '0.00000052'],
    [61_837, '61837'],
  ])('read %s exactly as %s', (p, price) => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p, t: NOON }))
    expect(prices(recorder)).toEqual([price])
  })

  test('contain no volume of a currency, so its prices have the volume zero', () => {
    const { recorder, talk } = begin('IC MARKETS:1')
    say(talk, ...readWire('finnhub-trade-forex-quoted.jsonl'))
    expect(recorder.quotes.map(({ price, volume }) => [price, volume])).toEqual([
      ['1.06618', '0'],
      ['1.06619', '0'],
    ])
  })

  it.each([0, -1, null, '1e5', 1e21, true])('P2: reject a price of %j, and use the trades before and after it', (p) => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }, { p, t: NOON }, { p: 11, t: NOON }))
    expect(prices(recorder)).toEqual(['10', '11'])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'AAPL', reason: 'unreadable' }])
    // No loss is reported, because the last trade of the same millisecond was readable and decides the price.
    expect(recorder.kinds()).not.toContain('lost')
  })
})

describe('Finnhub trades that could not be read', () => {
  test('P2: do not include a trade whose volume has an exponent', () => {
    const { recorder, talk } = begin('AAPL')
    say(talk, JSON.stringify(frame({ p: 10, t: NOON })).replace('"v":1', '"v":1.9999999999999998e-05'))
    expect(recorder.quotes.map(({ volume }) => volume)).toEqual(['0.000019999999999999998'])
  })

  it.each([
    ['no volume', { s: 'AAPL', v: null }, [0, 5, 9]],
    ['no price of another symbol', { s: 'MSFT', p: 0 }, [0, 5, 9]],
  ])('P2: use the neighbours of a trade with %s', (_, odd, times) => {
    const { recorder, talk } = begin('AAPL', 'MSFT')
    const [one, two, three] = times.map((ms) => ({ p: 10 + ms, t: NOON + ms }))
    say(
      talk,
      frame(
        { ...one, p: 10, t: NOON },
        { p: 12, t: NOON + 2, ...odd },
        { p: 15, t: NOON, ...two },
        { p: 19, t: NOON, ...three },
      ),
    )
    expect(prices(recorder)).toEqual(['10', '15', '19'])
    expect(recorder.unusedTrades).toEqual([{ symbol: odd.s, reason: 'unreadable' }])
  })

  test('P1: hold back the symbol from before the unreadable trade, and the next price reports the loss', () => {
    const { recorder, talk } = begin('AAPL', 'MSFT')
    say(talk, frame({ p: 10, t: NOON }, { p: 20, t: NOON, s: 'MSFT' }))
    say(talk, frame({ p: null, t: NOON + 50 }))
    say(talk, frame({ p: 12, t: NOON + 60, c: ['24'] }, { p: 21, t: NOON + 60, c: ['24'], s: 'MSFT' }))
    expect(recorder.alives.map(({ symbol }) => symbol)).toEqual(['MSFT'])
    say(talk, frame({ p: 13, t: NOON + 70 }))
    expect(recorder.troubles.filter(({ kind }) => kind === 'lost')).toEqual([
      { kind: 'lost', symbol: 'AAPL', why: 'a trade before this price could not be read', from: NOON + 49 },
    ])
    say(talk, frame({ p: 14, t: NOON + 80, c: ['24'] }))
    expect(recorder.alives.map(({ symbol }) => symbol)).toEqual(['MSFT', 'AAPL'])
  })

  it.each([
    ['is not JSON', '{"data":[{"c":["1"],"p":10'],
    ['has no type', '{"data":[{"c":["1"],"p":10,"s":"AAPL","t":1767632400000,"v":1}]}'],
    ['has another type', '{"data":[],"type":"tradee"}'],
    ['has trades in no list', '{"data":{"p":1},"type":"trade"}'],
    ['has a trade without a symbol', JSON.stringify(frame({ p: 1, t: NOON + 1, s: null }))],
    ['has a trade of what is no name of a symbol', JSON.stringify(frame({ p: 1, t: NOON + 1, s: 'aapl' }))],
    ['says a name twice', JSON.stringify(frame({ p: 1, t: NOON + 1 })).replace('"p":1', '"p":1,"p":2')],
  ])('P1: confirm no symbol after a message that %s, because the message may concern any symbol', (_, message) => {
    const { recorder, talk } = begin('AAPL', 'MSFT')
    say(talk, frame({ p: 10, t: NOON }, { p: 20, t: NOON, s: 'MSFT' }))
    hear(talk, message)
    const later = ['AAPL', 'MSFT'].map((s) => ({ p: 11, t: NOON + 60, c: ['24'], s }))
    say(talk, frame(...later))
    expect(recorder.alives).toEqual([])
    say(talk, frame({ p: 13, t: NOON + 70 }, { p: 23, t: NOON + 70, s: 'MSFT' }))
    const lost = recorder.troubles.filter(({ kind }) => kind === 'lost')
    expect(lost).toMatchObject(['AAPL', 'MSFT'].map((symbol) => ({ symbol, from: NOON - 1 })))
  })

  it.each([
    ['seconds', NOON / 1_000],
    ['microseconds', (NOON + 5) * 1_000],
    ['text', String(NOON + 5)],
  ])('P22: include a trade with a time in %s, and the next price reports that a trade is missing', (_, t) => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }), frame({ p: 11, t }), frame({ p: 12, t: NOON + 9 }))
    expect(prices(recorder)).toEqual(['10', '12'])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'AAPL', reason: 'unreadable' }])
    expect(recorder.troubles.at(-1)).toMatchObject({ kind: 'lost', symbol: 'AAPL', from: NOON - 1 })
  })

  it.each([
    ['price', { p: '11' }],
    ['volume', { p: 11, v: '1' }],
  ])('P6: include a trade with %s as text, because numbers are required', (_, odd) => {
    const { recorder, talk } = begin('AAPL')
    say(talk, frame({ p: 10, t: NOON }), frame({ t: NOON + 5, ...odd }), frame({ p: 12, t: NOON + 9 }))
    expect(prices(recorder)).toEqual(['10', '12'])
    expect(recorder.troubles.at(-1)).toMatchObject({ kind: 'lost', symbol: 'AAPL', from: NOON + 4 })
  })

  test('P2: are counted without opening a hole for a symbol without a subscription', () => {
    const { recorder, talk } = begin('AAPL', 'MSFT')
    say(talk, frame({ p: 10, t: NOON }, { p: 20, t: NOON, s: 'MSFT' }))
    say(talk, frame({ p: 3, t: NOON + 50, s: 'TSLA' }, { p: 'x', t: NOON + 50, s: 'BINANCE:BTCUSDT' }))
    say(talk, frame({ p: 11, t: NOON + 60, c: ['24'] }), frame({ p: 12, t: NOON + 100 }))
    expect(recorder.alives).toHaveLength(1)
    expect(recorder.troubles).toEqual([])
    expect(recorder.unusedTrades.filter(({ reason }) => reason === 'not_followed')).toHaveLength(2)
  })
})

test('assigns each trade of a recorded frame with a stock and a coin to its own symbol', () => {
  const { recorder, talk } = begin('AAPL', 'BINANCE:ETHUSDT', 'BINANCE:BTCUSDT')
  say(talk, COINS[3] ?? '')
  expect(prices(recorder)).toEqual(['1731.1', '1731.1', '1731.09'])
  expect(recorder.alives).toEqual([{ symbol: 'AAPL', time: 1_696_250_801_553, quotesBefore: 3 }])
})

test('counts trades of symbols without a subscription, but does not report them', () => {
  const { recorder, talk } = begin('MSFT')
  say(talk, ...STOCKS, ...COINS)
  const unusedTrades = Array.from({ length: recordedTrades([...STOCKS, ...COINS]) }, () => ({
    symbol: null,
    reason: 'not_followed',
  }))
  expect(recorder.all()).toEqual({ ...new ProviderRecorder().all(), unusedTrades })
})

function recordedTrades(messages: readonly string[]): number {
  return messages.reduce((sum, text) => sum + (JSON.parse(text) as { data: unknown[] }).data.length, 0)
}
