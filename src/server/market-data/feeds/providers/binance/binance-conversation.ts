import type { UnreadTrade } from '#server/market-data/feeds/providers/exact-json.ts'
import type { Conversation, Line } from '#server/market-data/feeds/providers/provider-socket.ts'
import {
  type BinanceTicker,
  type BinanceTrade,
  parseBinance,
} from '#server/market-data/feeds/providers/binance/parse.ts'

/** A connection that had prices, and then answers this many probes in a row without any price, is replaced. */
const PROBES_WITHOUT_PRICES = 10

/** Binance never answers a message longer than 4,096 bytes. */
const STREAMS_A_MESSAGE = 40

export interface BinanceHandlers {
  received(message: BinanceTrade | BinanceTicker): void
  /** Called when a message could not be read. */
  unread(trade: UnreadTrade): void
  /** Called for a stream that the provider does not have. */
  refused(stream: string | null, why: string): void
}

/** Subscribes streams on one connection and handles the messages. */
export class BinanceConversation implements Conversation {
  readonly #line: Line
  readonly #handlers: BinanceHandlers
  /** The streams of each request that has no reply yet, by request id. */
  readonly #pendingRequests = new Map<number, readonly string[]>()
  #lastId = 0
  #hadPrices = false
  #probes = 0

  constructor(line: Line, streams: readonly string[], handlers: BinanceHandlers) {
    this.#line = line
    this.#handlers = handlers
    this.subscribe(streams)
    // When the previous connection refused all symbols, there is nothing to confirm, so this connection is ready at
    // once.
    if (streams.length === 0) line.ready()
  }

  subscribe(streams: readonly string[]): void {
    for (let at = 0; at < streams.length; at += STREAMS_A_MESSAGE) {
      const params = streams.slice(at, at + STREAMS_A_MESSAGE)
      this.#pendingRequests.set(this.#ask('SUBSCRIBE', params), params)
    }
  }

  unsubscribe(streams: readonly string[]): void {
    this.#ask('UNSUBSCRIBE', streams)
  }

  probe(): void {
    this.#probes += 1
    if (this.#hadPrices && this.#probes === PROBES_WITHOUT_PRICES) this.#line.renew()
    this.#ask('LIST_SUBSCRIPTIONS')
  }

  message(text: string): (() => void) | null {
    const message = parseBinance(text)
    switch (message.kind) {
      case 'trade':
      case 'ticker':
        this.#hadPrices = true
        this.#probes = 0
        return () => this.#handlers.received(message)
      case 'answer':
        this.#answered(message.id, message.error)
        return null
      case 'shutdown':
        this.#line.renew()
        return null
      default:
        return null
    }
  }

  unread(trade: UnreadTrade): () => void {
    return () => this.#handlers.unread(trade)
  }

  #ask(method: string, params?: readonly string[]): number {
    this.#lastId += 1
    this.#line.send(JSON.stringify({ method, params, id: this.#lastId }))
    return this.#lastId
  }

  #answered(id: number | null, error: string | null): void {
    if (id === null) {
      if (error !== null) this.#handlers.refused(null, error)
      return
    }
    const streams = this.#pendingRequests.get(id)
    if (streams === undefined) return
    this.#pendingRequests.delete(id)
    if (error !== null) this.#refused(streams, error)
    if (this.#pendingRequests.size === 0) this.#line.ready()
  }

  /** One bad stream makes Binance refuse all streams of the same request. */
  #refused(streams: readonly string[], error: string): void {
    const [stream] = streams
    if (/too many/i.test(error)) this.#line.fail(error)
    else if (streams.length === 1 && stream !== undefined) this.#handlers.refused(stream, error)
    else {
      const half = Math.ceil(streams.length / 2)
      this.subscribe(streams.slice(0, half))
      this.subscribe(streams.slice(half))
    }
  }
}
