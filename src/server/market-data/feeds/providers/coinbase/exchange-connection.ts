import {
  type CoinbaseTrade,
  type ExchangeMessage,
  readExchangeMessage,
} from '#server/market-data/feeds/providers/coinbase/exchange-messages.ts'
import { MissingTrades } from '#server/market-data/feeds/providers/coinbase/missing-trades.ts'
import type { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import type { Asking, Following } from '#server/market-data/feeds/providers/single-connection-provider.ts'
import type { ProviderSink } from '#server/market-data/feeds/providers/provider.ts'
import type { Line } from '#server/market-data/feeds/providers/provider-socket.ts'

const CHANNELS = ['matches', 'heartbeat'] as const

export interface ExchangeConnectionOptions {
  readonly line: Line
  readonly symbols: Following
  readonly deduplicator: CoinbaseTradeDeduplicator
  readonly sink: ProviderSink
}

/**
 * One connection to Coinbase Exchange. A product is alive when the last trade that its heartbeat names has arrived. Otherwise that trade is
 * in flight or lost.
 */
export class ExchangeConnection implements Asking {
  /** Requested subscriptions that are not confirmed yet. */
  private readonly wanted = new Set<string>()
  private readonly refused = new Set<string>()
  private readonly missing = new MissingTrades()
  private readonly options: ExchangeConnectionOptions

  constructor(options: ExchangeConnectionOptions) {
    this.options = options
    options.deduplicator.connectionBegins()
    this.ask([...options.symbols.keys()])
  }

  /** Subscribes more products while the connection is open. */
  ask(symbols: readonly string[]): void {
    for (const symbol of symbols) this.wanted.add(symbol)
    if (symbols.length > 0) this.send('subscribe', symbols, CHANNELS)
  }

  message(text: string): (() => void) | null {
    const message = readExchangeMessage(text)
    switch (message.kind) {
      case 'subscribed':
        this.hearGranted(message.channels)
        return null
      case 'refused':
        this.hearRefused(message)
        return null
      case 'trade':
        return () => this.hearTrade(message.trade)
      case 'heartbeat':
        return this.options.symbols.has(message.symbol) ? () => this.hearHeartbeat(message) : null
      default:
        return null
    }
  }

  unread(trade: UnreadTrade): () => void {
    const { deduplicator, symbols } = this.options
    return () => deduplicator.unreadOf(trade, symbols)
  }

  /** Requests a reply at once, because a heartbeat is overdue. */
  probe(): void {
    const symbols = [...this.options.symbols.keys()].filter((symbol) => !this.refused.has(symbol))
    if (symbols.length > 0) this.send('subscribe', symbols, ['heartbeat'])
  }

  private hearTrade(trade: CoinbaseTrade): void {
    const { deduplicator, symbols } = this.options
    if (symbols.has(trade.symbol)) deduplicator.trade(trade)
    else deduplicator.notOurs(trade.symbol)
  }

  /** Each confirmation repeats all subscriptions, in a different order each time. */
  private hearGranted(channels: ReadonlyMap<string, readonly string[]>): void {
    const granted = CHANNELS.map((channel) => new Set(channels.get(channel)))
    for (const symbol of this.wanted) {
      if (granted.every((symbols) => symbols.has(symbol))) this.wanted.delete(symbol)
    }
    this.maybeReady()
  }

  /** One unknown product makes Coinbase ignore the whole request, so the other products are requested again. */
  private hearRefused({ symbol, why }: Extract<ExchangeMessage, { kind: 'refused' }>): void {
    if (symbol !== null && this.refused.has(symbol)) return
    this.options.sink.trouble({ kind: 'refused', symbol, why })
    if (symbol === null) return
    this.refused.add(symbol)
    if (this.wanted.delete(symbol)) this.ask([...this.wanted])
    this.maybeReady()
  }

  private maybeReady(): void {
    if (this.wanted.size === 0) this.options.line.ready()
  }

  private hearHeartbeat({ symbol, lastTradeId, time }: Extract<ExchangeMessage, { kind: 'heartbeat' }>): void {
    if (lastTradeId === null) return
    const { deduplicator } = this.options
    const newestId = deduplicator.newestId(symbol)
    const lost = this.missing.heartbeat({ symbol, lastTradeId, newestId })
    deduplicator.newestIs(symbol, lastTradeId, time)
    if (lost === null) return
    deduplicator.doesNotCome(symbol, lost)
    // A new subscription begins with the last trade of the product.
    this.send('unsubscribe', [symbol], ['matches'])
    this.send('subscribe', [symbol], ['matches'])
  }

  private send(type: string, symbols: readonly string[], channels: readonly string[]): void {
    this.options.line.send(JSON.stringify({ type, product_ids: symbols, channels }))
  }
}
