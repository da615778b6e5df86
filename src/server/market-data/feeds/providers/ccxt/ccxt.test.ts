import { describe, expect, test } from 'vitest'
import { instant, MINUTE_MS } from '#core/time/instant.ts'
import { loadCcxt } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { CcxtTradeDeduplicator } from '#server/market-data/feeds/providers/ccxt/trade-deduplicator.ts'
import { Ccxt, ccxt } from '#server/market-data/feeds/providers/ccxt/ccxt.ts'
import { isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import type { ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { binanceRawWire } from '#test/support/providers/binance-wire.ts'
import { describeProviderContract } from '#test/contracts/provider-contract.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { until } from '#test/support/providers/provider-under-test.ts'
import { countedTools, ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const library = await loadCcxt()

const BTC: ProviderSymbol = { symbol: 'BTC/USDT', channel: 'trade' }
const ETH: ProviderSymbol = { symbol: 'ETH/USDT', channel: 'trade' }

interface TradeFields {
  readonly p: string
  readonly q: string
  readonly T: number
}

/** Recorded messages without the wrapping of a combined stream. */
function unwrapped(file: string): string[] {
  return readWire(file).map((text) => JSON.stringify((JSON.parse(text) as { data: unknown }).data))
}

const trades = unwrapped('binance-spot-btcusdt-trade-20240808.jsonl.gz')
const tickers = unwrapped('binance-spot-miniticker-quoted.jsonl')

const LATER = Date.UTC(2026, 0, 5, 12)

function tell({ symbol }: ProviderSymbol, n: number): { messages: string[]; quote: Quote } {
  const time = LATER + n * 250
  const price = `${60_000 + n}.12345678`
  const s = symbol.replace('/', '')
  const fields = {
    e: 'trade',
    E: time + 2,
    s,
    t: 5_000_000_000 + n,
    p: price,
    q: '0.00100000',
    T: time,
    m: true,
    M: true,
  }
  return { messages: [JSON.stringify(fields)], quote: { symbol, price, volume: '0.00100000', time: instant(time) } }
}

const FIRST_MINUTE = Math.floor(systemClock.now() / MINUTE_MS - 30) * MINUTE_MS
/** The exchange also returns the last, open bar, which stays open during this test. */
const ROWS = [0, 1, 2, 60].map((n) => {
  const openTime = FIRST_MINUTE + n * MINUTE_MS
  return [openTime, '0.01634790', `0.8000000${n}`, '0.01575800', '0.01577100', '148976.11427815', openTime + 59_999]
})
const BARS = [0, 1, 2].map((n) => ({
  openTime: instant(FIRST_MINUTE + n * MINUTE_MS),
  open: '0.01634790',
  high: `0.8000000${n}`,
  low: '0.01575800',
  close: '0.01577100',
  volume: '148976.11427815',
}))

// One exchange object for all readers, because creating one is slow.
const exchange = library.get('binance')?.({ number: String, newUpdates: true })

/** Reads a text with the library and the adapter, without a connection. */
function reader(): (text: string) => readonly Quote[] {
  if (exchange === undefined) throw new Error('ccxt has no binance')
  const recorder = new ProviderRecorder()
  // Without a connection the library has loaded no markets, and uses the exchange's name of a symbol.
  const deduplicators = new Map(
    ['BTCUSDT', 'ETHUSDT'].map((symbol) => [
      symbol,
      new CcxtTradeDeduplicator({ symbol, channel: 'trade' }, systemClock, recorder),
    ]),
  )
  return (text) => {
    recorder.quotes.length = 0
    const client = {
      url: 'wss://stream.binance.com:9443/ws/0',
      subscriptions: {},
      createConnection: () => undefined,
      onError: () => undefined,
      onMessage: () => undefined,
      onMessageCallback: () => undefined,
      reject: () => undefined,
      send: () => Promise.resolve(),
      resolve(result: unknown, hash: unknown) {
        const [, symbol = ''] = typeof hash === 'string' ? hash.split('::') : []
        if (Array.isArray(result)) deduplicators.get(symbol)?.trades(result.slice(-1))
      },
    }
    try {
      const message: unknown = JSON.parse(text)
      if (isObject(message)) exchange.handleMessage(client, message)
    } catch {
      // The library throws at many invalid messages. On a real connection, such an error makes the pending calls fail.
    }
    return recorder.quotes
  }
}

describeProviderContract('binance through ccxt', {
  protocol: () => binanceRawWire({ symbols: new Set(['BTCUSDT', 'ETHUSDT']), klines: () => ROWS }),
  create: (options, tools, limits) => new Ccxt(library, { ...options, exchange: 'binance' }, tools, limits),
  symbols: [BTC, ETH],
  unknown: { symbol: 'NOSUCH/USDT', channel: 'trade' },
  recordings: [
    {
      name: 'five minutes of trades',
      symbols: [BTC],
      messages: trades,
      quotes: trades.map((text) => {
        const { p, q, T } = JSON.parse(text) as TradeFields
        return { symbol: 'BTC/USDT', price: p, volume: q, time: instant(T) }
      }),
    },
    {
      name: 'a ticker',
      symbols: [{ symbol: 'BTC/USDT', channel: 'ticker' }],
      messages: tickers,
      quotes: [{ symbol: 'BTC/USDT', price: '102492.27000000', volume: '0', time: instant(1_749_183_266_025) }],
    },
  ],
  tell,
  withPrice: (message, json) => message.replace(/"p":"[^"]*"/, `"p":${json}`),
  tellsRepeats: true,
  readsBinary: true,
  read: reader,
  many: { symbols: [BTC, ETH], connections: 2 },
  history: {
    query: {
      symbol: 'BTC/USDT',
      interval: '1m',
      from: instant(FIRST_MINUTE),
      before: instant(FIRST_MINUTE + 61 * MINUTE_MS),
    },
    candles: BARS,
    unknown: { symbol: 'NOSUCH/USDT', interval: '1m', from: instant(LATER), before: instant(LATER + MINUTE_MS) },
  },
})

describe('ccxt', () => {
  test('rejects an unknown exchange with a clear error', async () => {
    await expect(ccxt({ name: 'other' }, 'no-such-exchange', countedTools())).rejects.toThrow(
      'ccxt cannot follow an exchange called no-such-exchange',
    )
  })

  test('supports dozens of exchanges', () => {
    for (const id of ['binance', 'coinbaseexchange', 'kraken', 'okx', 'bybit', 'bitstamp'])
      expect(library.has(id)).toBe(true)
  })

  describe('messages parsed by the library', () => {
    const trade = { id: '7', timestamp: 1_723_161_255_342, price: '61837.63', amount: '0.5' }

    function record(...trades: readonly object[]) {
      const recorder = new ProviderRecorder()
      new CcxtTradeDeduplicator(BTC, systemClock, recorder).trades(trades)
      return recorder
    }

    test.each([
      ['milliseconds', { p: '61837.63', T: 1_723_161_255_342 }],
      ['seconds with a fraction', { price: 61_837.63, ts: '1723161255.342' }],
      ['microseconds', ['61837.63', '1723161255342123']],
      ['a date', { price: '61837.63', time: '2024-08-08T23:54:15.342Z' }],
      ['a date without a zone', { deep: [{ price: '61837.63', time: '2024-08-08 23:54:15.342' }] }],
    ])('are accepted when the exchange sent the time as %s', (_, info) => {
      expect(record({ ...trade, info }).quotes).toEqual([
        { symbol: 'BTC/USDT', price: '61837.63', volume: '0.5', time: trade.timestamp },
      ])
    })

    test.each([
      ['a price that was worked out', { ...trade, info: { cost: '30918.815', T: 1_723_161_255_342 } }],
      ['a time that the exchange did not send', { ...trade, info: { p: '61837.63' } }],
      ['a time that was cut', { ...trade, info: { p: '61837.63', T: 1_723_161_255_342.5 } }],
      ['a time that rounds to it', { ...trade, info: { p: '61837.63', T: '1723161255342.0000000000000002' } }],
      ['a time in seconds', { ...trade, timestamp: 1_723_161_255, info: { p: '61837.63', T: 1_723_161_255 } }],
      [
        'a time in microseconds',
        { ...trade, timestamp: 1_723_161_255_342_000, info: ['61837.63', 1_723_161_255_342_000] },
      ],
      ['no time', { ...trade, timestamp: undefined, info: { p: '61837.63' } }],
      ['a time in the future', { ...trade, timestamp: 4e12, info: { p: '61837.63', T: 4e12 } }],
      ['a volume below zero', { ...trade, amount: '-1', info: { p: '61837.63', T: 1_723_161_255_342 } }],
    ])('are left out with %s', (_, one) => {
      const recorder = record(one)
      expect(recorder.quotes).toEqual([])
      expect(recorder.troubles).toEqual([expect.objectContaining({ kind: 'unreadable' })])
    })

    test('take a ticker with an unchanged price as a heartbeat, not as a fresh price', () => {
      const recorder = new ProviderRecorder()
      const deduplicator = new CcxtTradeDeduplicator({ ...BTC, channel: 'ticker' }, systemClock, recorder)
      for (const [last, seconds] of [
        ['5.0', 1],
        ['5.0', 2],
        ['5.1', 3],
        ['5.0', 2],
      ] as const) {
        const timestamp = 1_723_161_255_000 + seconds * 1_000
        deduplicator.ticker({ last, timestamp, info: { c: last, E: timestamp } })
      }
      expect(recorder.quotes.map(({ price }) => price)).toEqual(['5.0', '5.1'])
      expect(recorder.alives.map(({ time }) => time)).toEqual([1_723_161_256_999])
      expect(recorder.latecomers()).toEqual([])
    })

    test('P5: report another price that arrives after a newer ticker as lost', () => {
      const recorder = new ProviderRecorder()
      const deduplicator = new CcxtTradeDeduplicator({ ...BTC, channel: 'ticker' }, systemClock, recorder)
      const at = 1_723_161_240_000
      for (const [last, ms] of [
        ['5.0', 0],
        ['5.0', 2_000],
        ['5.0', 1_000],
        ['5.1', 1_000],
      ] as const)
        deduplicator.ticker({ last, timestamp: at + ms, info: { c: last, E: at + ms } })
      expect(recorder.quotes.map(({ price }) => price)).toEqual(['5.0'])
      expect(recorder.troubles).toMatchObject([{ kind: 'lost', symbol: 'BTC/USDT', from: at + 1_999 }])
    })

    test('P5: quote another price of the same time, and count a price whose time runs back', () => {
      const recorder = new ProviderRecorder()
      const deduplicator = new CcxtTradeDeduplicator({ ...BTC, channel: 'ticker' }, systemClock, recorder)
      const ticker = (last: string, seconds: number) => {
        const timestamp = 1_723_161_000_000 + seconds * 1_000
        deduplicator.ticker({ last, timestamp, info: { c: last, E: timestamp } })
      }
      ticker('100.0', 240)
      ticker('101.0', 240)
      ticker('101.0', 240)
      ticker('100.0', 241)
      expect(recorder.quotes.map(({ price }) => price)).toEqual(['100.0', '101.0', '100.0'])
      expect(recorder.alives).toEqual([])
      expect(recorder.unusedTrades).toEqual([])
      ticker('102.0', 240)
      expect(recorder.unusedTrades).toEqual([{ symbol: 'BTC/USDT', reason: 'out_of_order' }])
      expect(recorder.latecomers()).toEqual([])
    })

    test('P22: report a missing trade at the price after a time in another unit', () => {
      const at = trade.timestamp
      const recorder = record(
        { ...trade, info: { p: '61837.63', T: at } },
        { ...trade, id: '8', timestamp: 1_723_161_256, info: { p: '61837.63', T: 1_723_161_256 } },
        { ...trade, id: '9', timestamp: at + 2_000, info: { p: '61837.63', T: at + 2_000 } },
      )
      expect(recorder.quotes).toHaveLength(2)
      expect(recorder.unusedTrades).toEqual([{ symbol: 'BTC/USDT', reason: 'unreadable' }])
      expect(recorder.troubles.at(-1)).toMatchObject({ kind: 'lost', from: at - 1 })
    })

    test('P5: count an unreported late trade as out of order, and as repeated the second time', () => {
      const at = (id: string, ms: number) => ({
        ...trade,
        id,
        timestamp: trade.timestamp + ms,
        info: { p: '61837.63', T: trade.timestamp + ms },
      })
      const recorder = record(at('7', 0), at('9', 2), at('8', 1), at('8', 1), at('7', 0))
      expect(recorder.unusedTrades.map(({ reason }) => reason)).toEqual(['out_of_order', 'repeated', 'repeated'])
    })

    test('keep the order of equal times, and recognise repeats by id', () => {
      const info = { p: '61837.63', T: 1_723_161_255_342 }
      const ids = ['7', '8', '7', '9', '8']
      expect(
        record(...ids.map((id) => ({ ...trade, id, amount: id, info }))).quotes.map(({ volume }) => volume),
      ).toEqual(['7', '8', '9'])
    })
  })

  test('P5: count a message that is no JSON once, and P8: never report the key', async () => {
    const server = await ProviderServer.start(binanceRawWire({ symbols: new Set(['BTCUSDT']) }))
    const options = { name: 'x', url: server.url, restUrl: server.restUrl, key: 'SECRETKEY', exchange: 'binance' }
    const provider = new Ccxt(library, options, countedTools())
    const recorder = new ProviderRecorder()
    try {
      provider.follow(BTC)
      provider.start(recorder)
      await until(() => expect(server.follows(BTC)).toBe(true))
      server.say(...tell(BTC, 1).messages)
      await until(() => expect(recorder.quotes).toHaveLength(1))
      server.sayToAll('garbage with SECRETKEY')
      server.say(...tell(BTC, 2).messages)
      await until(() => expect(recorder.quotes).toHaveLength(2))
      expect(recorder.unusedTrades).toEqual([{ symbol: null, reason: 'unreadable' }])
      expect(recorder.troubles.length).toBeGreaterThan(0)
      expect(JSON.stringify(recorder.troubles)).not.toContain('SECRET')
    } finally {
      await provider.stop()
      await server.stop()
    }
  })
})
