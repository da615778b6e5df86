import { expect, test } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { FinnhubConnection } from '#server/market-data/feeds/providers/finnhub/finnhub-connection.ts'
import { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import { finnhub } from '#server/market-data/feeds/providers/finnhub/finnhub.ts'
import type { ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { finnhubWire } from '#test/support/providers/finnhub-wire.ts'
import { describeProviderContract } from '#test/contracts/provider-contract.ts'
import { countedTools, ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { ProviderServer } from '#test/support/providers/provider-server.ts'
import { until } from '#test/support/providers/provider-under-test.ts'
import { quotesOf, SILENT_LINE } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const AAPL: ProviderSymbol = { symbol: 'AAPL', channel: 'trade' }
const EUR: ProviderSymbol = { symbol: 'OANDA:EUR_USD', channel: 'trade' }
const UNKNOWN: ProviderSymbol = { symbol: 'FX:EURUSD', channel: 'trade' }

interface Frame {
  readonly data: readonly {
    readonly c?: readonly string[]
    readonly s: string
    readonly p: number
    readonly v: number
    readonly t: number
  }[]
}

/**
 * Reads all round-lot trades of a recording without the adapter's code. The times of the recording must not run back.
 */
function recording(name: string, symbol: string, messages: readonly string[]) {
  const trades = messages.flatMap((text) => (JSON.parse(text) as Frame).data).filter(({ s }) => s === symbol)
  const quotes = trades
    .filter(({ c }) => !c?.includes('12'))
    .map(({ p, v, t }) => ({
      symbol,
      price: String(p),
      volume: String(v),
      time: instant(t),
    }))
  return { name, symbols: [{ symbol, channel: 'trade' as const }], messages, quotes }
}

const RECORDINGS = [
  recording('a stock', 'AAPL', readWire('finnhub-trade-aapl-20230331.jsonl')),
  recording('a coin', 'BINANCE:BTCUSDT', readWire('finnhub-trade-crypto-quoted.jsonl').slice(0, 1)),
  recording('a coin of later', 'BINANCE:BTCUSDT', readWire('finnhub-trade-crypto-quoted.jsonl').slice(2, 3)),
  recording('a coin beside a stock', 'BINANCE:ETHUSDT', readWire('finnhub-trade-crypto-quoted.jsonl').slice(3)),
  recording('a currency', 'IC MARKETS:1', readWire('finnhub-trade-forex-quoted.jsonl')),
]

function tell({ symbol }: ProviderSymbol, n: number): { messages: string[]; quote: Quote } {
  const time = instant(Date.UTC(2026, 0, 5, 16) + n * 100)
  const frame = { data: [{ c: ['1'], p: 164 + n / 10_000, s: symbol, t: time, v: n }], type: 'trade' }
  return {
    messages: [JSON.stringify(frame)],
    quote: { symbol, price: `164.${String(n).padStart(4, '0').replace(/0+$/, '')}`, volume: String(n), time },
  }
}

const MINUTE = 1_572_910_200_000
const [BARS = ''] = readWire('finnhub-rest-candle.jsonl')

describeProviderContract('finnhub', {
  protocol: () => finnhubWire({ unknown: new Set(['FX:EURUSD']), bars: BARS }),
  create: finnhub,
  symbols: [AAPL, EUR],
  unknown: UNKNOWN,
  recordings: RECORDINGS,
  tell,
  withPrice: (message, json) => message.replace(/"p":[^,]+/, `"p":${json}`),
  // Finnhub's trades have no ids, so two equal trades count as two trades.
  tellsRepeats: false,
  read: () =>
    quotesOf((sink) => {
      const deduplicator = new FinnhubTradeDeduplicator(sink, { clock: systemClock })
      const followed = [AAPL, EUR, ...RECORDINGS.flatMap(({ symbols }) => symbols)]
      const symbols = new Map(followed.map(({ symbol, channel }) => [symbol, channel]))
      return () => [new FinnhubConnection({ line: SILENT_LINE, symbols, deduplicator, sink })]
    }),
  many: {
    symbols: Array.from({ length: 50 }, (_, n) => ({ symbol: `S${n}`, channel: 'trade' })),
    connections: 1,
  },
  history: {
    query: { symbol: 'AAPL', interval: '1m', from: instant(MINUTE), before: instant(MINUTE + 5 * 60_000) },
    candles: [
      { at: 0, open: '257.2', high: '257.2', low: '257.2', close: '257.2', volume: '322' },
      { at: 1, open: '257.21', high: '257.21', low: '257.21', close: '257.21', volume: '625' },
      { at: 4, open: '257.3', high: '257.69', low: '257.3', close: '257.69', volume: '9894' },
    ].map(({ at, ...bar }) => ({ openTime: instant(MINUTE + at * 60_000), ...bar })),
    unknown: { symbol: 'FX:EURUSD', interval: '1m', from: instant(MINUTE), before: instant(MINUTE + 60_000) },
  },
})

test('P8: reports no key in a problem, even when Finnhub repeats it', async () => {
  const server = await ProviderServer.start(finnhubWire({ unknown: new Set(), bars: BARS }))
  const options = { name: 'f', url: server.url, restUrl: server.restUrl, key: 'SECRETKEY' }
  const provider = finnhub(options, countedTools(), { socket: { betweenSendsMs: 0 } })
  const recorder = new ProviderRecorder()
  try {
    provider.follow(AAPL)
    provider.start(recorder)
    await until(() => expect(server.follows(AAPL)).toBe(true))
    server.sayToAll('{"type":"error","msg":"Invalid API key SECRETKEY"}')
    server.sayToAll('{"type":"error","msg":"Invalid symbol SECRETKEY"}')
    server.sayToAll('{"type":"trade","token":"SECRETKEY"')
    await until(() => expect(recorder.troubles).toHaveLength(3))
    expect(JSON.stringify(recorder.troubles)).not.toContain('SECRET')
  } finally {
    await provider.stop()
    await server.stop()
  }
})
