import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { Binance } from '#server/market-data/feeds/providers/binance/binance.ts'
import { coinbaseExchange } from '#server/market-data/feeds/providers/coinbase/coinbase-exchange.ts'
import type { ProviderTrades, TradesQuery } from '#server/market-data/feeds/providers/provider-trades.ts'
import { FakeClock } from '#test/support/fake-clock.ts'
import { RecordServer, type ScriptedTrade } from '#test/support/providers/record-server.ts'

const START = 1_773_846_000_000

let server: RecordServer

beforeEach(async () => {
  server = await RecordServer.start()
})

afterEach(async () => {
  await server.stop()
})

function trades(count: number, change: (ref: number) => Partial<ScriptedTrade> = () => ({})): ScriptedTrade[] {
  return Array.from({ length: count }, (_, at) => {
    const ref = 1_000_000 + at
    return { ref, price: `${60_000 + (at % 7)}.01000000`, timeMs: START + at * 10, ...change(ref) }
  })
}

const PROVIDERS = [
  {
    name: 'binance',
    symbol: 'BTCUSDT',
    open: (url: string): ProviderTrades | undefined => {
      const tools = { clock: new FakeClock(START), randomBytes: () => new Uint8Array(8) }
      return new Binance({ name: 'binance', restUrl: url }, tools, { rest: { betweenCallsMs: 0 } }).trades
    },
  },
  {
    name: 'coinbase',
    symbol: 'BTC-USD',
    open: (url: string): ProviderTrades | undefined => {
      const tools = { clock: new FakeClock(START), randomBytes: () => new Uint8Array(8) }
      return coinbaseExchange({ name: 'coinbase', restUrl: url }, tools, { rest: { betweenCallsMs: 0 } }).trades
    },
  },
]

describe.each(PROVIDERS)('the record of $name', ({ symbol, open }) => {
  async function ask(from: TradesQuery['from'], throughMs: number) {
    const record = open(server.url)
    if (record === undefined) throw new Error('it has a record')
    return await record.around({ symbol, from, through: instant(throughMs) })
  }

  it('returns every trade from a known one to the first one after a time, over several pages', async () => {
    const all = trades(4_000)
    server.script(symbol, all)
    const stretch = await ask({ ref: 1_000_100, time: instant(START + 1_000) }, START + 30_005)
    expect(stretch.trades.map(({ ref }) => ref)).toEqual(Array.from({ length: 2_902 }, (_, at) => 1_000_100 + at))
    expect(stretch).toMatchObject({ absent: [], isNewest: false })
    expect(stretch.trades[0]).toEqual({
      ref: 1_000_100,
      price: all[100]?.price,
      volume: '1.00000000',
      time: START + 1_000,
    })
  })

  it('begins with the last trade before a time', async () => {
    server.script(symbol, trades(2_500))
    const stretch = await ask({ time: instant(START + 15_001) }, START + 15_025)
    const refs = stretch.trades.map(({ ref }) => ref)
    expect(refs.slice(refs.indexOf(1_001_500))).toEqual([1_001_500, 1_001_501, 1_001_502, 1_001_503])
  })

  it('reports that it has no later trade', async () => {
    server.script(symbol, trades(1_000))
    const stretch = await ask({ ref: 1_000_990, time: instant(START + 9_900) }, START + 60_000)
    expect(stretch.trades.at(-1)?.ref).toBe(1_000_999)
    expect(stretch.isNewest).toBe(true)
  })

  it('names the trade numbers that the provider itself has lost', async () => {
    server.script(
      symbol,
      trades(100, (ref) => (ref > 1_000_040 && ref < 1_000_044 ? { isLost: true } : {})),
    )
    const stretch = await ask({ ref: 1_000_039, time: instant(START + 390) }, START + 445)
    expect(stretch.absent).toEqual([{ from: 1_000_041, to: 1_000_043 }])
    expect(stretch.trades.map(({ ref }) => ref)).toEqual([1_000_039, 1_000_040, 1_000_044, 1_000_045])
  })

  it('returns trades of one price and time one by one', async () => {
    server.script(
      symbol,
      trades(50, (ref) => (ref >= 1_000_010 && ref < 1_000_020 ? { price: '5', timeMs: START + 100 } : {})),
    )
    const stretch = await ask({ ref: 1_000_012, time: instant(START + 100) }, START + 195)
    expect(stretch.trades.map(({ ref }) => ref)).toEqual(
      [12, 13, 14, 15, 16, 17, 18, 19, 20].map((at) => 1_000_000 + at),
    )
  })

  it.each(['cut', 'failing', 'too-often', 'garbage', 'half'] as const)(
    'fails when the reply is %s, and never says that nothing happened',
    async (mood) => {
      server.script(symbol, trades(100))
      server.mood = mood
      await expect(ask({ ref: 1_000_010, time: instant(START + 100) }, START + 500)).rejects.toMatchObject({
        name: 'ProviderError',
      })
    },
  )
})
