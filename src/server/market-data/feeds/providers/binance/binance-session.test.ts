import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { BinanceSession } from '#server/market-data/feeds/providers/binance/binance-session.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import type { ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'

const START = 1_772_574_569_000

function session(channel: ProviderSymbol['channel'] = 'trade') {
  const recorder = new ProviderRecorder()
  const deaf: string[] = []
  const binanceSession = new BinanceSession(new FakeClock(START), recorder, ({ symbol }) => void deaf.push(symbol))
  binanceSession.follow({ symbol: 'BTCUSDT', channel })
  return {
    recorder,
    deaf,
    trade: (
      id: number,
      ms: number,
      { symbol = 'BTCUSDT', unit = 'ms' }: { symbol?: string; unit?: 'ms' | 'us' } = {},
    ) =>
      binanceSession.take({
        kind: 'trade',
        symbol,
        id: BigInt(id),
        price: `${id}`,
        volume: '1',
        time: instant(START + ms),
        unit,
      }),
    unread: (trade: UnreadTrade) => binanceSession.unread(trade, () => true),
    interrupted: () => binanceSession.interrupted(() => true),
    ticker: (lastTradeId: number, ms: number) =>
      binanceSession.take({
        kind: 'ticker',
        symbol: 'BTCUSDT',
        price: `${lastTradeId}`,
        lastTradeId: BigInt(lastTradeId),
        knownUpTo: instant(START + ms - 1),
        time: instant(START + ms),
        unit: 'ms',
      }),
    ids: () => recorder.quotes.map(({ price }) => Number(price)),
  }
}

describe('trades of Binance', () => {
  test('the session reports each trade once', () => {
    const { trade, ids, recorder } = session()
    for (const id of [7, 8, 8, 7, 9, 8]) trade(id, id)
    expect(ids()).toEqual([7, 8, 9])
    expect(recorder.troubles).toEqual([])
  })

  test('the session reports the number of trades lost at a gap of ids', () => {
    const { trade, ids, recorder } = session()
    trade(7, 1)
    trade(11, 2)
    expect(ids()).toEqual([7, 11])
    const lost = { kind: 'lost', symbol: 'BTCUSDT', why: '3 trades are missing before 11' }
    expect(recorder.troubles).toEqual([{ ...lost, from: START }])
  })

  test('make no price when their time runs back', () => {
    const { trade, ids } = session()
    trade(7, 10)
    trade(8, 9)
    trade(9, 10)
    expect(ids()).toEqual([7, 9])
  })

  test('continue by their time after an id far too high', () => {
    const { trade, ids, recorder } = session()
    trade(7, 1)
    trade(9_000_000, 2)
    trade(8, 2)
    trade(9, 3)
    trade(10, 4)
    expect(ids()).toEqual([7, 9_000_000, 9, 10])
    expect(recorder.troubles.map(({ kind }) => kind)).toEqual(['lost', 'lost'])
  })

  test('continue after a time far in the future', () => {
    const { trade, ids, recorder } = session()
    trade(7, 1)
    trade(8, 100_000)
    trade(9, 3)
    expect(ids()).toEqual([7, 9])
    expect(recorder.kinds()).toContain('unreadable')
  })
})

describe('tickers next to trades', () => {
  test('confirm the time when no trade is missing', () => {
    const { trade, ticker, recorder } = session()
    ticker(7, 0)
    trade(7, 5)
    ticker(7, 1_000)
    ticker(7, 1_000)
    ticker(7, 2_000)
    expect(recorder.alives.map(({ time }) => time - START)).toEqual([749, 1_749])
    expect(recorder.quotes).toHaveLength(1)
  })

  test('confirm nothing while a trade that they name is missing, and confirm the time once the trade arrives', () => {
    const { trade, ticker, recorder, deaf } = session()
    trade(7, 5)
    ticker(8, 1_000)
    expect(recorder.alives).toEqual([])
    trade(8, 990)
    ticker(8, 2_000)
    expect(recorder.alives.map(({ time }) => time - START)).toEqual([1_749])
    expect(recorder.troubles).toEqual([])
    expect(deaf).toEqual([])
  })

  test('report once a minute that trades stopped, and replace the connection', () => {
    const { trade, ticker, recorder, deaf } = session()
    trade(7, 5)
    for (let second = 1; second <= 50; second += 1) ticker(7 + second, second * 1_000)
    expect(recorder.alives).toEqual([])
    expect(recorder.troubles).toEqual([{ kind: 'lost', symbol: 'BTCUSDT', why: 'trades up to 10 do not come' }])
    expect(deaf).toEqual(['BTCUSDT'])
    trade(58, 50_500)
    ticker(58, 51_000)
    expect(recorder.alives).toHaveLength(1)
  })

  test('keep prices ascending, unique and after confirmed times, for any order of messages', () => {
    const message = fc.record({ isTrade: fc.boolean(), id: fc.nat({ max: 30 }), ms: fc.nat({ max: 5_000 }) })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
        const { trade, ticker, recorder } = session()
        for (const { isTrade, id, ms } of messages) (isTrade ? trade : ticker)(id, ms)
        expect(recorder.latecomers()).toEqual([])
        const times = recorder.quotes.map(({ time }) => time)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        const seen = recorder.quotes.map(({ price, time }) => `${price} at ${time}`)
        expect(new Set(seen).size).toBe(seen.length)
      }),
    )
  })
})

test('counts a trade of a confirmed time instead of reporting it', () => {
  const { trade, ticker, ids, recorder } = session()
  trade(7, 5)
  ticker(7, 1_000)
  trade(8, 749)
  trade(9, 750)
  expect(ids()).toEqual([7, 9])
  const lost = { kind: 'lost', symbol: 'BTCUSDT', why: 'trade 8 came after newer ones' }
  expect(recorder.troubles).toEqual([{ ...lost, from: START + 749 }])
})

test('on the ticker channel, treats a new last trade as a price and an unchanged one as a heartbeat', () => {
  const { trade, ticker, ids, recorder } = session('ticker')
  ticker(7, 1_000)
  trade(8, 1_500)
  ticker(8, 2_000)
  ticker(8, 2_000)
  ticker(7, 1_000)
  ticker(8, 3_000)
  expect(ids()).toEqual([7, 8])
  expect(recorder.alives.map(({ time }) => time - START)).toEqual([2_999])
  expect(recorder.latecomers()).toEqual([])
})

describe('unreadable messages of Binance', () => {
  const lost = (recorder: ProviderRecorder) => recorder.troubles.filter(({ kind }) => kind === 'lost')
  const at = (ms: number) => instant(START + ms)

  test('P1: block all tickers, and the next trade reports since when a trade is missing', () => {
    const { trade, ticker, unread, recorder, ids, deaf } = session()
    trade(7, 1)
    unread({ symbol: 'BTCUSDT', id: 8n, time: at(500), channel: 'trade' })
    for (const ms of [1_000, 2_000, 3_000, 4_000]) ticker(8, ms)
    expect(recorder.alives).toEqual([])
    expect(lost(recorder)).toMatchObject([{ why: 'trades up to 8 could not be read' }])
    // The connection is not replaced, because another connection could not read the trade either.
    expect(deaf).toEqual([])
    trade(9, 5_000)
    ticker(9, 6_000)
    expect(ids()).toEqual([7, 9])
    expect(lost(recorder).at(-1)).toEqual({
      kind: 'lost',
      symbol: 'BTCUSDT',
      why: '1 trades are missing before 9',
      from: at(499),
    })
    expect(recorder.alives.map(({ time }) => time - START)).toEqual([5_749])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'BTCUSDT', reason: 'unreadable' }])
  })

  test('P1: are not a loss before a readable trade of the same millisecond', () => {
    const { trade, unread, recorder } = session()
    trade(7, 1)
    unread({ symbol: 'BTCUSDT', id: 8n, time: at(500) })
    trade(9, 500)
    expect(lost(recorder)).toMatchObject([{ why: '1 trades are missing before 9' }])
    expect(lost(recorder)[0]).not.toHaveProperty('from')
  })

  test('P1: are a loss only if the next trade does not follow by id', () => {
    const { trade, unread, recorder } = session()
    trade(7, 1)
    unread({ symbol: null })
    trade(8, 2_000)
    expect(lost(recorder)).toEqual([])
    unread({ symbol: null })
    trade(10, 3_000)
    expect(lost(recorder)).toMatchObject([{ from: at(1_999) }])
    expect(recorder.unusedTrades.map(({ symbol }) => symbol)).toEqual([null, null])
  })

  test('P1: are not a loss when a ticker names our last trade', () => {
    const { trade, ticker, unread, recorder } = session()
    trade(7, 1)
    unread({ symbol: null })
    ticker(7, 1_000)
    trade(8, 2_000)
    expect(recorder.alives).toHaveLength(1)
    expect(lost(recorder)).toEqual([])
  })

  test('do not count as trades when they are tickers next to trades', () => {
    const { trade, unread, recorder } = session()
    trade(7, 1)
    unread({ symbol: 'BTCUSDT', channel: 'ticker' })
    trade(8, 2_000)
    expect(recorder.troubles).toEqual([])
    expect(recorder.unusedTrades).toEqual([])
  })

  test('after a lost connection, the age of the price decides whether a trade counts as missing', () => {
    const { trade, interrupted, recorder } = session()
    trade(7, 1)
    interrupted()
    trade(20, 2_000)
    trade(22, 3_000)
    expect(lost(recorder).map((trouble) => 'from' in trouble)).toEqual([false, true])
  })

  test('P1: make the next price report a loss on the ticker channel, but not an unchanged price', () => {
    const { ticker, unread, recorder } = session('ticker')
    ticker(7, 1_000)
    unread({ symbol: 'BTCUSDT', channel: 'ticker' })
    ticker(7, 2_000)
    expect(lost(recorder)).toEqual([])
    unread({ symbol: null })
    ticker(9, 4_000)
    expect(lost(recorder)).toMatchObject([{ symbol: 'BTCUSDT', from: at(1_999) }])
    expect(recorder.unusedTrades).toHaveLength(2)
  })

  test('P1: include a trade with a time far in the future', () => {
    const { trade, ticker, recorder } = session()
    trade(7, 1)
    trade(8, 100_000)
    ticker(8, 1_000)
    expect(recorder.alives).toEqual([])
    trade(9, 2_000)
    expect(lost(recorder)).toMatchObject([{ from: START }])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'BTCUSDT', reason: 'ahead' }])
  })

  test('P1: are not explained by a ticker that names an older trade', () => {
    const { trade, ticker, unread, recorder } = session()
    trade(100, 0)
    unread({ symbol: 'BTCUSDT', id: 101n, time: at(100), channel: 'trade' })
    ticker(100, 1_000)
    trade(102, 1_200)
    expect(recorder.alives).toEqual([])
    expect(lost(recorder)).toMatchObject([{ from: at(99) }])
  })

  test.each([
    ['no id', { id: null, time: at(100) }, 99],
    ['no time', { id: 101n, time: null }, -1],
  ])('P1: include a trade with %s, when the next trade cannot be the same trade', (_, parts, from) => {
    const { trade, ticker, unread, recorder } = session()
    trade(100, 0)
    unread({ symbol: 'BTCUSDT', ...parts, channel: 'trade' })
    ticker(100, 1_000)
    expect(recorder.alives).toEqual([])
    trade(parts.id === null ? 101 : 102, 1_200)
    expect(lost(recorder)).toMatchObject([{ from: at(from) }])
    ticker(parts.id === null ? 101 : 102, 2_000)
    expect(recorder.alives).toHaveLength(1)
  })

  test('P1: are explained by the arrival of their own trade, but not of the trade before it', () => {
    const { trade, ticker, unread, recorder } = session()
    trade(100, 0)
    unread({ symbol: 'BTCUSDT', id: 102n, time: at(200), channel: 'trade' })
    trade(101, 100)
    ticker(101, 1_000)
    expect(recorder.alives).toEqual([])
    trade(102, 200)
    ticker(102, 2_000)
    expect(recorder.alives).toHaveLength(1)
    expect(lost(recorder)).toEqual([])
  })

  test('P1: are not explained by a ticker naming our trade after one naming a newer trade', () => {
    const { trade, ticker, recorder } = session()
    trade(100, 0)
    ticker(101, 1_000)
    ticker(100, 2_000)
    expect(recorder.alives).toEqual([])
    trade(101, 2_500)
    ticker(101, 3_000)
    expect(recorder.alives).toHaveLength(1)
  })

  test('P2: are counted without effect for a symbol without a subscription', () => {
    const { trade, ticker, unread, recorder } = session()
    trade(100, 0)
    trade(7, 50, { symbol: 'ETHUSDT' })
    unread({ symbol: 'ETHUSDT', channel: 'trade' })
    ticker(100, 1_000)
    trade(101, 1_100)
    expect(recorder.alives).toHaveLength(1)
    expect(recorder.troubles).toEqual([])
    expect(recorder.unusedTrades).toEqual([1, 2].map(() => ({ symbol: null, reason: 'not_followed' })))
  })

  test('P22: include a time in a new unit, which only a new connection may use', () => {
    const { trade, ticker, interrupted, recorder, ids } = session()
    trade(100, 0)
    trade(101, 100, { unit: 'us' })
    ticker(101, 1_000)
    expect(recorder.alives).toEqual([])
    trade(102, 1_200)
    expect(lost(recorder)).toMatchObject([{ from: at(-1) }])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'BTCUSDT', reason: 'unreadable' }])
    interrupted()
    trade(103, 1_300, { unit: 'us' })
    expect(ids()).toEqual([100, 102, 103])
  })
})

describe('counters of unused trades', () => {
  test('P5: count an unreported late trade as out of order, and as repeated the second time', () => {
    const { trade, recorder } = session()
    for (const id of [100, 103, 101, 101, 100, 99]) trade(id, id)
    expect(recorder.unusedTrades.map(({ reason }) => reason)).toEqual([
      'out_of_order',
      'repeated',
      'repeated',
      'out_of_order',
    ])
  })

  test('P4: count a ticker that names an older trade than before, and take no price from it', () => {
    const { ticker, ids, recorder } = session('ticker')
    ticker(101, 1_000)
    ticker(99, 1_500)
    ticker(102, 1_400)
    ticker(101, 1_450)
    expect(ids()).toEqual([101, 102])
    expect(recorder.alives).toEqual([])
    expect(recorder.unusedTrades.map(({ reason }) => reason)).toEqual(['out_of_order', 'repeated'])
  })

  test('P4: count a ticker with a newer trade but an older time; the next price reports a lost trade', () => {
    const { ticker, ids, recorder } = session('ticker')
    ticker(101, 1_000)
    ticker(102, 900)
    ticker(101, 1_500)
    expect(recorder.alives).toEqual([])
    ticker(102, 2_000)
    expect(ids()).toEqual([101, 102])
    expect(recorder.unusedTrades).toEqual([{ symbol: 'BTCUSDT', reason: 'out_of_order' }])
    expect(recorder.troubles).toMatchObject([{ kind: 'lost', from: START + 999 }])
  })

  test('P4: treat ids that stay lower for a minute as a new numbering', () => {
    const { ticker, ids, recorder } = session('ticker')
    ticker(9_000_000, -61_000)
    for (let second = -60; second <= 0; second += 1) ticker(200 + second, second * 1_000)
    expect(ids()).toEqual([9_000_000, 200])
    expect(recorder.troubles).toMatchObject([{ kind: 'lost', from: START - 61_001 }])
  })
})
