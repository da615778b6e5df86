import { instant, MINUTE_MS } from '#core/time/instant.ts'
import { BinanceSession } from '#server/market-data/feeds/providers/binance/binance-session.ts'
import { Binance } from '#server/market-data/feeds/providers/binance/binance.ts'
import { parseBinance } from '#server/market-data/feeds/providers/binance/parse.ts'
import type { ProviderSymbol, Quote } from '#server/market-data/feeds/providers/provider.ts'
import { systemClock } from '#server/platform/runtime/system-clock.ts'
import { binanceWire } from '#test/support/providers/binance-wire.ts'
import { describeProviderContract } from '#test/contracts/provider-contract.ts'
import { ProviderRecorder } from '#test/support/providers/provider-recorder.ts'
import { readWire } from '#test/support/providers/read-wire.ts'

const BTC: ProviderSymbol = { symbol: 'BTCUSDT', channel: 'trade' }
const ETH: ProviderSymbol = { symbol: 'ETHUSDT', channel: 'trade' }
const MANY = Array.from({ length: 300 }, (_, n): ProviderSymbol => ({ symbol: `C${n}USDT`, channel: 'trade' }))
const UNKNOWN: ProviderSymbol = { symbol: 'NOSUCHUSDT', channel: 'trade' }

interface Wrapped<T> {
  readonly stream: string
  readonly data: T
}
interface TradeFields {
  readonly e: string
  readonly s: string
  readonly p: string
  readonly q: string
  readonly T: number
  readonly t: number
}

/** Reads all trades of a recording without the adapter's code. */
function tradesIn(messages: readonly string[]): Quote[] {
  return messages
    .map((text) => (JSON.parse(text) as Wrapped<TradeFields>).data)
    .filter(({ e }) => e === 'trade')
    .map(({ s, p, q, T, t: ref }) => ({ symbol: s, price: p, volume: q, time: instant(T), ref }))
}

const trades = readWire('binance-spot-btcusdt-trade-20240808.jsonl.gz')
const mixed = readWire('binance-spot-btcusdt-interleaved-60s-20240808.jsonl.gz')
const tickers = readWire('binance-spot-24hrticker-20220529.jsonl')

const LATER = Date.UTC(2026, 0, 5, 12)

function tradeMessage({ symbol }: ProviderSymbol, n: number): { messages: string[]; quote: Quote } {
  const time = LATER + n * 250
  const price = `${60_000 + n}.12345678`
  const data = { e: 'trade', E: time + 2, s: symbol, t: 5_000_000_000 + n, p: price, q: '0.00100000', T: time, m: true }
  const stream = `${symbol.toLowerCase()}@trade`
  return {
    messages: [JSON.stringify({ stream, data: { ...data, M: true } })],
    quote: { symbol, price, volume: '0.00100000', time: instant(time), ref: 5_000_000_000 + n },
  }
}

const FIRST_MINUTE = Math.floor(systemClock.now() / MINUTE_MS - 30) * MINUTE_MS
/** A minute in the future, so that its bar stays open during this test. */
const OPEN_MINUTE = FIRST_MINUTE + 60 * MINUTE_MS

/** Three closed minutes and the open one, which Binance returns as well. */
const ROWS = [FIRST_MINUTE, FIRST_MINUTE + MINUTE_MS, FIRST_MINUTE + 2 * MINUTE_MS, OPEN_MINUTE].map((openTime, n) => [
  openTime,
  '0.01634790',
  `0.8000000${n}`,
  '0.01575800',
  '0.01577100',
  '148976.11427815',
  openTime + MINUTE_MS - 1,
  '2434.19055334',
  308,
  '1756.87402397',
  '28.46694368',
  '0',
])
const BARS = [0, 1, 2].map((n) => ({
  openTime: instant(FIRST_MINUTE + n * MINUTE_MS),
  open: '0.01634790',
  high: `0.8000000${n}`,
  low: '0.01575800',
  close: '0.01577100',
  volume: '148976.11427815',
}))

describeProviderContract('binance', {
  protocol: () =>
    binanceWire({ symbols: new Set(['BTCUSDT', 'ETHUSDT', ...MANY.map(({ symbol }) => symbol)]), klines: () => ROWS }),
  create: (options, tools, { socket, rest }) => new Binance(options, tools, { socket, rest, silentAfterMs: 100 }),
  symbols: [BTC, ETH],
  unknown: UNKNOWN,
  recordings: [
    { name: 'five minutes of trades', symbols: [BTC], messages: trades, quotes: tradesIn(trades) },
    { name: 'trades among other streams', symbols: [BTC], messages: mixed, quotes: tradesIn(mixed) },
    {
      name: 'a ticker',
      symbols: [{ symbol: 'ETHUSDT', channel: 'ticker' }],
      messages: tickers,
      quotes: [{ symbol: 'ETHUSDT', price: '1792.84000000', volume: '0', time: instant(1_653_812_650_349) }],
    },
  ],
  tell: tradeMessage,
  withPrice: (message, json) => message.replace(/"p":"[^"]*"/, `"p":${json}`),
  tellsRepeats: true,
  renews: true,
  read() {
    const recorder = new ProviderRecorder()
    const session = new BinanceSession(systemClock, recorder, () => undefined)
    for (const symbol of [BTC, ETH]) session.follow(symbol)
    return (text) => {
      recorder.quotes.length = 0
      try {
        const message = parseBinance(text)
        if (message.kind === 'trade' || message.kind === 'ticker') session.take(message)
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'Unreadable') throw error
      }
      return recorder.quotes
    }
  },
  many: {
    symbols: MANY,
    connections: 2,
  },
  history: {
    query: {
      symbol: 'BTCUSDT',
      interval: '1m',
      from: instant(FIRST_MINUTE),
      before: instant(OPEN_MINUTE + MINUTE_MS),
    },
    candles: BARS,
    unknown: { symbol: 'NOSUCHUSDT', interval: '1m', from: instant(LATER), before: instant(LATER + MINUTE_MS) },
  },
})
