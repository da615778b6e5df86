import {
  type AdvancedContent,
  readAdvancedMessage,
  type UnreadPart,
} from '#server/market-data/feeds/providers/coinbase/advanced-messages.ts'
import { MessageCount } from '#server/market-data/feeds/providers/coinbase/message-count.ts'
import type { CoinbaseTradeDeduplicator } from '#server/market-data/feeds/providers/coinbase/trade-deduplicator.ts'
import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import type { Asking, Following } from '#server/market-data/feeds/providers/single-connection-provider.ts'
import type { ProviderSink, ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import type { Line } from '#server/market-data/feeds/providers/provider-socket.ts'

const CHANNELS = { trade: 'market_trades', ticker: 'ticker' } as const
const HEARTBEATS = 'heartbeats'

export interface AdvancedConnectionOptions {
  readonly line: Line
  readonly symbols: Following
  readonly deduplicator: CoinbaseTradeDeduplicator
  readonly sink: ProviderSink
}

/**
 * One connection to Coinbase Advanced Trade. While no message is missing, a heartbeat confirms every subscribed
 * product. After a missing message, no more data of this connection is used. The next connection begins with the last
 * hundred trades of each product, so the missing trades come first.
 */
export class AdvancedConnection implements Asking {
  private readonly count = new MessageCount()
  private granted: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  private readonly refused = new Set<string>()
  /** The number of requests without a reply yet. */
  private unanswered = 0
  private reason: string | null = null
  private isBroken = false
  private readonly options: AdvancedConnectionOptions

  constructor(options: AdvancedConnectionOptions) {
    this.options = options
    options.deduplicator.connectionBegins()
    this.ask([...options.symbols.keys()])
    this.subscribe(HEARTBEATS)
  }

  /** Subscribes more products while the connection is open. */
  ask(symbols: readonly string[]): void {
    for (const channel of ['trade', 'ticker'] as const) {
      const wanted = symbols.filter((symbol) => this.options.symbols.get(symbol) === channel)
      if (wanted.length > 0) this.subscribe(CHANNELS[channel], wanted)
    }
  }

  message(text: string): (() => void) | null {
    const message = readAdvancedMessage(text)
    if (message.kind === 'refused') {
      this.hearRefused(message.why)
      return null
    }
    if (this.isBroken) return null
    const place = this.count.place(message.sequence)
    if (place === 'repeated') return null
    if (place === 'next') return this.take(message.content())
    this.breakOff(place.lost)
    const content = message.content()
    // The next connection sends the missed trades again but not the last prices, so only last prices are used.
    return content.kind === 'prices' ? this.take(content) : null
  }

  unread(trade: UnreadTrade): () => void {
    // A message with an unreadable number counts as missing when the next message arrives. The first message does not, because no number
    // precedes it.
    const isFirst = this.count.isAtBeginning
    return () => {
      this.options.deduplicator.unreadOf(trade, this.options.symbols)
      if (isFirst) this.breakOff('the first message could not be read')
    }
  }

  /** Requests a reply at once, because a heartbeat is overdue. */
  probe(): void {
    this.subscribe(HEARTBEATS)
  }

  private take(content: AdvancedContent): (() => void) | null {
    const { deduplicator } = this.options
    switch (content.kind) {
      case 'trades':
        return () => {
          for (const trade of content.trades) {
            if ('unread' in trade) this.unreadPart(trade, 'trade')
            else if (this.isOurs(trade.symbol, 'trade')) deduplicator.trade(trade)
          }
        }
      case 'prices':
        return () => {
          for (const price of content.prices) {
            if ('unread' in price) this.unreadPart(price, 'ticker')
            else if (this.isOurs(price.symbol, 'ticker'))
              deduplicator.lastPrice(price.symbol, price.price, content.time)
          }
        }
      case 'heartbeat': {
        const alive = [...this.options.symbols.keys()].filter((symbol) => this.isGranted(symbol))
        return () => {
          for (const symbol of alive) deduplicator.heartbeat(symbol, content.time)
        }
      }
      case 'subscribed':
        this.granted = new Map([...content.channels].map(([channel, symbols]) => [channel, new Set(symbols)]))
        this.hearAnswer()
        return null
      default:
        return null
    }
  }

  /** Notes an unreadable trade; the other trades of the message are used. It may be a repeat, so it opens a hole but is not a loss yet. */
  private unreadPart({ unread }: UnreadPart, channel: ProviderSymbol['channel']): void {
    const { deduplicator, symbols, sink } = this.options
    const followed = symbols.get(unread.symbol ?? '')
    if (followed !== undefined && followed !== channel) return
    if (unread.symbol === null || followed !== undefined)
      sink.trouble({ kind: 'unreadable', why: `${CHANNELS[channel]}: a part for ${unread.symbol} makes no sense` })
    deduplicator.unreadOf(unread, symbols)
  }

  private isOurs(symbol: string, channel: ProviderSymbol['channel']): boolean {
    const { deduplicator, symbols } = this.options
    if (!symbols.has(symbol)) deduplicator.notOurs(symbol)
    return symbols.get(symbol) === channel
  }

  private breakOff(why: string): void {
    if (this.isBroken) return
    this.isBroken = true
    this.options.deduplicator.unreadAny()
    this.options.sink.trouble({ kind: 'lost', symbol: null, why })
    this.options.line.fail(why)
  }

  private isGranted(symbol: string): boolean {
    const channel = this.options.symbols.get(symbol)
    return channel !== undefined && this.granted.get(CHANNELS[channel])?.has(symbol) === true
  }

  private subscribe(channel: string, symbols?: readonly string[]): void {
    this.unanswered += 1
    this.options.line.send(JSON.stringify({ type: 'subscribe', ...(symbols && { product_ids: symbols }), channel }))
  }

  /** A refusal does not name its product. */
  private hearRefused(why: string): void {
    const missing = this.missing()
    if (this.reason === null && missing.length > 1) {
      // Requests each product separately, so that only the refused ones fail.
      for (const symbol of missing) this.ask([symbol])
    }
    if (missing.length === 0) this.options.sink.trouble({ kind: 'refused', symbol: null, why })
    this.reason = why
    this.hearAnswer()
  }

  /** After all requests are answered, products that were not confirmed do not exist: Coinbase reports nothing else about them. */
  private hearAnswer(): void {
    this.unanswered = Math.max(0, this.unanswered - 1)
    if (this.unanswered > 0) return
    for (const symbol of this.missing()) {
      this.refused.add(symbol)
      const why = this.reason ?? 'not among what it subscribed us to'
      this.options.sink.trouble({ kind: 'refused', symbol, why })
    }
    if (this.granted.has(HEARTBEATS)) this.options.line.ready()
  }

  private missing(): string[] {
    return [...this.options.symbols.keys()].filter((symbol) => !this.refused.has(symbol) && !this.isGranted(symbol))
  }
}
