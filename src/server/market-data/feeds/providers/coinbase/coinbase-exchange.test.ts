import { instant } from '#core/time/instant.ts'
import { coinbaseExchange } from '#server/market-data/feeds/providers/coinbase/coinbase-exchange.ts'
import { ExchangeConnection } from '#server/market-data/feeds/providers/coinbase/exchange-connection.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import type { ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { exchangeWire } from '#test/support/providers/coinbase-wire.ts'
import { describeProviderContract } from '#test/contracts/provider-contract.ts'
import { quotesOf, SILENT_LINE } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const BTC: ProviderSymbol = { symbol: 'BTC-USD', channel: 'trade' }
const ETH: ProviderSymbol = { symbol: 'ETH-USD', channel: 'ticker' }
const UNKNOWN: ProviderSymbol = { symbol: 'NOPE-USD', channel: 'trade' }

interface Match {
  readonly type: string
  readonly product_id: string
  readonly trade_id: number
  readonly price: string
  readonly size: string
  readonly time: string
}

/** Reads the matches of a recording without the adapter's code. */
function recording(name: string, file: string) {
  const messages = readWire(file)
  const all = messages.map((text) => JSON.parse(text) as Match).filter(({ type }) => /^(?:last_)?match$/.test(type))
  const quotes = all.map(({ product_id: symbol, price, size: volume, time, trade_id: ref }) => ({
    symbol,
    price,
    volume,
    time: instant(Date.parse(time)),
    ref,
  }))
  const symbols = [...new Set(quotes.map(({ symbol }) => symbol))]
  return { name, messages, quotes, symbols: symbols.map((symbol) => ({ symbol, channel: 'trade' as const })) }
}

function tell({ symbol }: ProviderSymbol, n: number): { messages: string[]; quote: Quote } {
  const time = new Date(Date.UTC(2026, 0, 5, 12) + n * 1_000).toISOString()
  const price = `${100 + n}.5000`
  const product = { product_id: symbol, trade_id: 5_000 + n, sequence: 70_000_000_000 + n * 7 }
  return {
    messages: [JSON.stringify({ type: 'match', ...product, price, side: 'buy', time, size: '0.0300' })],
    quote: { symbol, price, volume: '0.0300', time: instant(Date.parse(time)), ref: 5_000 + n },
  }
}

const RECORDINGS = [
  recording('ten products, with their tickers', 'coinbase-exchange-ticker-match-20210417.jsonl'),
  recording('matches among changes of the book', 'coinbase-exchange-interleaved-20210417.jsonl'),
]

const MINUTE = 1_517_443_200_000
const [BARS = ''] = readWire('coinbase-exchange-rest-candles-20180201.jsonl')

describeProviderContract('coinbase', {
  protocol: () => exchangeWire({ unknown: new Set(['NOPE-USD']), bars: BARS }),
  create: coinbaseExchange,
  symbols: [BTC, ETH],
  unknown: UNKNOWN,
  recordings: RECORDINGS,
  tell,
  withPrice: (message, json) => message.replace(/"price":"[^"]*"/, `"price":${json}`),
  tellsRepeats: true,
  read: () =>
    quotesOf((sink) => {
      const deduplicator = new CoinbaseTradeDeduplicator(sink, { clock: systemClock })
      const symbols = new Map(
        [BTC, ETH, ...RECORDINGS.flatMap((each) => each.symbols)].map(({ symbol, channel }) => [symbol, channel]),
      )
      return () => [new ExchangeConnection({ line: SILENT_LINE, symbols, deduplicator, sink })]
    }),
  many: {
    symbols: Array.from({ length: 200 }, (_, n) => ({ symbol: `C${n}-USD`, channel: 'trade' })),
    connections: 1,
  },
  history: {
    query: {
      symbol: 'BTC-USD',
      interval: '1m',
      from: instant(MINUTE + 6 * 60_000),
      before: instant(MINUTE + 9 * 60_000),
    },
    candles: [
      ['10156.99', '10157', '10156.99', '10156.99', '2.2357688599999963'],
      ['10156.99', '10157', '10127.89', '10130', '1.0367627400000001'],
      ['10129.99', '10130', '10106.01', '10106.01', '4.727521520000001'],
    ].map(([open = '', high = '', low = '', close = '', volume = ''], n) => ({
      openTime: instant(MINUTE + (6 + n) * 60_000),
      open,
      high,
      low,
      close,
      volume,
    })),
    unknown: { symbol: 'NOPE-USD', interval: '1m', from: instant(MINUTE), before: instant(MINUTE + 60_000) },
  },
})
