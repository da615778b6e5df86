import { instant } from '#core/time/instant.ts'
import { AdvancedConnection } from '#server/market-data/feeds/providers/coinbase/advanced-connection.ts'
import { coinbaseAdvanced } from '#server/market-data/feeds/providers/coinbase/coinbase-advanced.ts'
import { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import type { ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { advancedWire } from '#test/support/providers/coinbase-wire.ts'
import { describeProviderContract } from '#test/contracts/provider-contract.ts'
import { quotesOf, SILENT_LINE } from '#test/support/providers/read-by-line.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const BTC: ProviderSymbol = { symbol: 'BTC-USD', channel: 'trade' }
const ETH: ProviderSymbol = { symbol: 'ETH-USD', channel: 'trade' }
const TICKERS: readonly ProviderSymbol[] = [
  { symbol: 'BTC-USD', channel: 'ticker' },
  { symbol: 'ETH-USD', channel: 'ticker' },
]
const UNKNOWN: ProviderSymbol = { symbol: 'NOPE-USD', channel: 'trade' }

interface Message {
  readonly channel: string
  readonly timestamp: string
  readonly events: readonly {
    readonly type: string
    readonly trades: readonly Record<'product_id' | 'trade_id' | 'price' | 'size' | 'time', string>[]
    readonly tickers: readonly Record<'product_id' | 'price', string>[]
  }[]
}

const calm = readWire('coinbase-advanced-20260809.jsonl.gz')
const mixed = readWire('coinbase-advanced-interleaved-20260809.jsonl.gz')

function ofChannel(messages: readonly string[], channel: string): Message[] {
  return messages.map((text) => JSON.parse(text) as Message).filter((message) => message.channel === channel)
}

/**
 * Reads all trades of a recording without the adapter's code: the trades of each message in reverse order, and each id
 * once.
 */
function tradesIn(messages: readonly string[]): Quote[] {
  const seen = new Set<string>()
  return ofChannel(messages, 'market_trades')
    .flatMap(({ events }) => events.flatMap(({ trades }) => trades.toReversed()))
    .filter(({ product_id, trade_id }) => {
      const isNew = !seen.has(`${product_id} ${trade_id}`)
      seen.add(`${product_id} ${trade_id}`)
      return isNew
    })
    .map(({ product_id: symbol, price, size: volume, time, trade_id }) => ({
      symbol,
      price,
      volume,
      time: instant(Date.parse(time)),
      ref: Number(trade_id),
    }))
}

/** Each last price that differs from the previous price, except the prices at the beginning of a subscription. */
function pricesIn(messages: readonly string[]): Quote[] {
  const last = new Map<string, string>()
  const quotes: Quote[] = []
  for (const { timestamp, events } of ofChannel(messages, 'ticker')) {
    for (const { type, tickers } of events) {
      for (const { product_id: symbol, price } of tickers) {
        if (type === 'snapshot' || last.get(symbol) === price) continue
        last.set(symbol, price)
        quotes.push({ symbol, price, volume: '0', time: instant(Date.parse(timestamp)) })
      }
    }
  }
  return quotes
}

function tell({ symbol }: ProviderSymbol, n: number): { messages: string[]; quote: Quote } {
  const time = instant(Date.UTC(2026, 7, 10, 12) + n * 1_000 + 500)
  const trade = {
    product_id: symbol,
    trade_id: String(2_000_000_000 + n),
    price: `${60_000 + n}.05`,
    size: '0.00064389',
    time: new Date(time).toISOString().replace('500Z', '5Z'),
    side: 'SELL',
  }
  const message = {
    channel: 'market_trades',
    timestamp: new Date(time + 80).toISOString(),
    sequence_num: 0,
    events: [{ type: 'update', trades: [trade] }],
  }
  return {
    messages: [JSON.stringify(message)],
    quote: { symbol, price: trade.price, volume: trade.size, time, ref: 2_000_000_000 + n },
  }
}

const MINUTE = 1_786_309_200_000
const BARS = [2, 1, 0].map((n) => ({
  start: String(MINUTE / 1_000 + n * 60),
  low: '1915.91',
  high: `1916.${60 + n}`,
  open: '1916.11',
  close: '1916.02',
  volume: '13.9044026',
}))

describeProviderContract('coinbase-advanced', {
  protocol: () => advancedWire({ unknown: new Set(['NOPE-USD']), bars: JSON.stringify({ candles: BARS }) }),
  create: coinbaseAdvanced,
  symbols: [BTC, ETH],
  unknown: UNKNOWN,
  recordings: [
    { name: 'trades', symbols: [BTC, ETH], messages: calm, quotes: tradesIn(calm) },
    { name: 'trades among changes of the book', symbols: [BTC, ETH], messages: mixed, quotes: tradesIn(mixed) },
    { name: 'last prices', symbols: TICKERS, messages: calm, quotes: pricesIn(calm) },
  ],
  tell,
  withPrice: (message, json) => message.replace(/"price":"[^"]*"/, `"price":${json}`),
  tellsRepeats: true,
  read: () =>
    quotesOf((sink) => {
      const followed = [[BTC, ETH], TICKERS].map((symbols) => ({
        deduplicator: new CoinbaseTradeDeduplicator(sink, { clock: systemClock }),
        symbols: new Map(symbols.map(({ symbol, channel }) => [symbol, channel])),
      }))
      return () =>
        followed.map(
          ({ deduplicator, symbols }) => new AdvancedConnection({ line: SILENT_LINE, symbols, deduplicator, sink }),
        )
    }),
  many: {
    symbols: Array.from({ length: 200 }, (_, n) => ({
      symbol: `C${n}-USD`,
      channel: n % 2 === 0 ? 'trade' : 'ticker',
    })),
    connections: 1,
  },
  history: {
    query: { symbol: 'BTC-USD', interval: '1m', from: instant(MINUTE), before: instant(MINUTE + 180_000) },
    candles: [0, 1, 2].map((n) => ({
      openTime: instant(MINUTE + n * 60_000),
      open: '1916.11',
      high: `1916.${60 + n}`,
      low: '1915.91',
      close: '1916.02',
      volume: '13.9044026',
    })),
    unknown: { symbol: 'NOPE-USD', interval: '1m', from: instant(MINUTE), before: instant(MINUTE + 60_000) },
  },
})
