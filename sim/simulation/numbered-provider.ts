import { instant } from '#core/time/instant.ts'
import { BinanceSession } from '#server/market-data/feeds/providers/binance/binance-session.ts'
import { BinanceTrades } from '#server/market-data/feeds/providers/binance/binance-trades.ts'
import type {
  ProviderTrades,
  RecordedStretch,
  TradesQuery,
} from '#server/market-data/feeds/providers/provider-trades.ts'
import type { Provider, ProviderSink, ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import type { NumberedWord } from './source-words.ts'
import type { recordAddress } from './trade-list.ts'

export interface NumberedProviderParts {
  readonly name: string
  readonly clock: Pick<Clock, 'now'>
  readonly record: ReturnType<typeof recordAddress>
  /** Called with each request for the record and the reply of the record. The reply is null when there was none. */
  readonly onAnswer: (query: TradesQuery, requestedAt: number, stretch: RecordedStretch | null) => void
  /** The time of the simulation. */
  readonly now: () => number
}

/** A source with numbered trades. The product's own adapter reads its messages and its record. */
export class NumberedProvider implements Provider {
  readonly name: string
  readonly history = null
  readonly trades: ProviderTrades
  readonly #parts: NumberedProviderParts
  readonly #followed: ProviderSymbol[] = []
  #session: BinanceSession | null = null
  #sink: ProviderSink | null = null

  constructor(parts: NumberedProviderParts) {
    this.#parts = parts
    this.name = parts.name
    const record = new BinanceTrades(parts.record)
    this.trades = {
      async around(query) {
        const requestedAt = parts.now()
        try {
          const stretch = await record.around(query)
          parts.onAnswer(query, requestedAt, stretch)
          return stretch
        } catch (error) {
          parts.onAnswer(query, requestedAt, null)
          throw error
        }
      },
    }
  }

  start(sink: ProviderSink): void {
    this.#sink = sink
    this.#session = new BinanceSession(this.#parts.clock, sink, () => undefined)
    for (const symbol of this.#followed) this.#session.follow(symbol)
    sink.connected()
  }

  follow(symbol: ProviderSymbol): void {
    this.#followed.push(symbol)
    this.#session?.follow(symbol)
  }

  stop(): Promise<void> {
    this.#session = null
    return Promise.resolve()
  }

  /** Handles one message of the stream. */
  hear(word: NumberedWord): void {
    const { symbol } = word
    const common = { symbol, unit: 'ms' } as const
    switch (word.kind) {
      case 'trade': {
        const { ref, price, time } = word
        return this.#session?.take({
          ...common,
          kind: 'trade',
          id: BigInt(ref),
          price,
          volume: '1',
          time: instant(time),
        })
      }
      case 'ticker': {
        const time = instant(word.time)
        const lastTradeId = BigInt(word.newestRef)
        return this.#session?.take({ ...common, kind: 'ticker', price: '1', lastTradeId, knownUpTo: time, time })
      }
      case 'unread':
        return this.#session?.unread({ symbol, channel: 'trade', id: BigInt(word.ref), time: null }, () => true)
      case 'interrupted':
        this.#session?.interrupted((one) => one.symbol === symbol)
        this.#sink?.trouble({ kind: 'disconnected', symbols: [symbol], why: 'the connection broke' })
    }
  }
}
