import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { BinanceSession } from '#server/feeds/providers/binance/binance-session.ts'
import type { ProviderSymbol } from '#server/feeds/providers/provider.ts'
import { FakeClock } from '#testing/fake-clock.ts'
import { ProviderRecorder } from '#testing/providers/provider-recorder.ts'

const START = 1_772_574_569_000

function session(channel: ProviderSymbol['channel'] = 'trade') {
  const heard = new ProviderRecorder()
  const deaf: string[] = []
  const told = new BinanceSession(new FakeClock(START), heard, ({ symbol }) => void deaf.push(symbol))
  told.follow({ symbol: 'BTCUSDT', channel })
  return {
    heard,
    deaf,
    trade: (id: number, ms: number) =>
      told.take({
        kind: 'trade',
        symbol: 'BTCUSDT',
        id: BigInt(id),
        price: `${id}`,
        volume: '1',
        time: instant(START + ms),
      }),
    ticker: (lastTradeId: number, ms: number) =>
      told.take({
        kind: 'ticker',
        symbol: 'BTCUSDT',
        price: `${lastTradeId}`,
        lastTradeId: BigInt(lastTradeId),
        knownUpTo: instant(START + ms - 1),
        time: instant(START + ms),
      }),
    ids: () => heard.quotes.map(({ price }) => Number(price)),
  }
}

describe('trades', () => {
  test('what was heard before is left out', () => {
    const { trade, ids, heard } = session()
    for (const id of [7, 8, 8, 7, 9, 8]) trade(id, id)
    expect(ids()).toEqual([7, 8, 9])
    expect(heard.troubles).toEqual([])
  })

  test('a hole is reported with its size', () => {
    const { trade, ids, heard } = session()
    trade(7, 1)
    trade(11, 2)
    expect(ids()).toEqual([7, 11])
    expect(heard.troubles).toEqual([{ kind: 'lost', symbol: 'BTCUSDT', why: '3 trades are missing before 11' }])
  })

  test('a time that runs back makes no price', () => {
    const { trade, ids } = session()
    trade(7, 10)
    trade(8, 9)
    trade(9, 10)
    expect(ids()).toEqual([7, 9])
  })

  test('an id far too high does not end the prices: later ones are taken by their time', () => {
    const { trade, ids, heard } = session()
    trade(7, 1)
    trade(9_000_000, 2)
    trade(8, 2)
    trade(9, 3)
    trade(10, 4)
    expect(ids()).toEqual([7, 9_000_000, 9, 10])
    expect(heard.troubles.map(({ kind }) => kind)).toEqual(['lost', 'lost'])
  })

  test('a time far in the future does not end the prices', () => {
    const { trade, ids, heard } = session()
    trade(7, 1)
    trade(8, 100_000)
    trade(9, 3)
    expect(ids()).toEqual([7, 9])
    expect(heard.kinds()).toContain('unreadable')
  })
})

describe('tickers beside trades', () => {
  test('confirm the time when no trade is missing', () => {
    const { trade, ticker, heard } = session()
    ticker(7, 0)
    trade(7, 5)
    ticker(7, 1_000)
    ticker(7, 1_000)
    ticker(7, 2_000)
    expect(heard.alives.map(({ time }) => time - START)).toEqual([749, 1_749])
    expect(heard.quotes).toHaveLength(1)
  })

  test('confirm nothing while a trade they know has not come, and do when it has', () => {
    const { trade, ticker, heard, deaf } = session()
    trade(7, 5)
    ticker(8, 1_000)
    expect(heard.alives).toEqual([])
    trade(8, 990)
    ticker(8, 2_000)
    expect(heard.alives.map(({ time }) => time - START)).toEqual([1_749])
    expect(heard.troubles).toEqual([])
    expect(deaf).toEqual([])
  })

  test('notice that trades do not come any more: once a minute, and the line is replaced', () => {
    const { trade, ticker, heard, deaf } = session()
    trade(7, 5)
    for (let second = 1; second <= 50; second += 1) ticker(7 + second, second * 1_000)
    expect(heard.alives).toEqual([])
    expect(heard.troubles).toEqual([{ kind: 'lost', symbol: 'BTCUSDT', why: 'trades up to 10 do not come' }])
    expect(deaf).toEqual(['BTCUSDT'])
    trade(58, 50_500)
    ticker(58, 51_000)
    expect(heard.alives).toHaveLength(1)
  })

  test('whatever comes in whatever order: no price at or before a confirmed time, none twice, times ascend', () => {
    const message = fc.record({ isTrade: fc.boolean(), id: fc.nat({ max: 30 }), ms: fc.nat({ max: 5_000 }) })
    fc.assert(
      fc.property(fc.array(message, { maxLength: 40 }), (messages) => {
        const { trade, ticker, heard } = session()
        for (const { isTrade, id, ms } of messages) (isTrade ? trade : ticker)(id, ms)
        expect(heard.latecomers()).toEqual([])
        const times = heard.quotes.map(({ time }) => time)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        const seen = heard.quotes.map(({ price, time }) => `${price} at ${time}`)
        expect(new Set(seen).size).toBe(seen.length)
      }),
    )
  })
})

test('a trade of a confirmed time is reported instead of told', () => {
  const { trade, ticker, ids, heard } = session()
  trade(7, 5)
  ticker(7, 1_000)
  trade(8, 749)
  trade(9, 750)
  expect(ids()).toEqual([7, 9])
  expect(heard.troubles).toEqual([{ kind: 'lost', symbol: 'BTCUSDT', why: 'trade 8 came after newer ones' }])
})

test('on the ticker channel another last trade is a price, the same one a sign of life, and trades are none', () => {
  const { trade, ticker, ids, heard } = session('ticker')
  ticker(7, 1_000)
  trade(8, 1_500)
  ticker(8, 2_000)
  ticker(8, 2_000)
  ticker(7, 1_000)
  ticker(8, 3_000)
  expect(ids()).toEqual([7, 8])
  expect(heard.alives.map(({ time }) => time - START)).toEqual([2_999])
  expect(heard.latecomers()).toEqual([])
})
