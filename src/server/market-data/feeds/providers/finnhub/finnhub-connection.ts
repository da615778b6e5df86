import { readFinnhubMessage } from '#server/market-data/feeds/providers/finnhub/finnhub-messages.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import type { FinnhubTradeDeduplicator } from '#server/market-data/feeds/providers/finnhub/trade-deduplicator.ts'
import type { ProviderSink } from '#server/market-data/feeds/providers/provider.ts'
import type { Asking, Following } from '#server/market-data/feeds/providers/single-connection-provider.ts'
import type { Line } from '#server/market-data/feeds/providers/provider-socket.ts'

export interface FinnhubConnectionOptions {
  readonly line: Line
  readonly symbols: Following
  readonly deduplicator: FinnhubTradeDeduplicator
  readonly sink: ProviderSink
}

/**
 * One connection to Finnhub. Finnhub does not confirm subscriptions, so the first message of any kind shows that the
 * connection works. A ping arrives about once a minute, and does not show that any symbol is alive.
 */
export class FinnhubConnection implements Asking {
  private readonly options: FinnhubConnectionOptions

  constructor(options: FinnhubConnectionOptions) {
    this.options = options
    options.deduplicator.connectionBegins()
    this.ask([...options.symbols.keys()])
  }

  ask(symbols: readonly string[]): void {
    for (const symbol of symbols) this.options.line.send(JSON.stringify({ type: 'subscribe', symbol }))
  }

  message(text: string): (() => void) | null {
    const message = readFinnhubMessage(text)
    const { line, sink, symbols, deduplicator } = this.options
    line.ready()
    if (message.kind === 'trades') return () => deduplicator.trades(message.trades, (symbol) => symbols.has(symbol))
    if (message.kind === 'refused') sink.trouble(message)
    return null
  }

  unread(trade: UnreadTrade): () => void {
    const { symbols, deduplicator } = this.options
    return () => deduplicator.unreadOf(trade, (symbol) => symbols.has(symbol))
  }
}
