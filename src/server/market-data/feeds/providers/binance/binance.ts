import { DEFAULT_ADDRESSES } from '#server/market-data/feeds/providers/default-addresses.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import {
  BinanceConversation,
  type BinanceHandlers,
} from '#server/market-data/feeds/providers/binance/binance-conversation.ts'
import {
  BinanceHistory,
  BinanceRefusal,
  readBinanceRefusal,
} from '#server/market-data/feeds/providers/binance/binance-history.ts'
import { BinanceTrades } from '#server/market-data/feeds/providers/binance/binance-trades.ts'
import { BinanceSession } from '#server/market-data/feeds/providers/binance/binance-session.ts'
import { isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { ProviderSocket } from '#server/market-data/feeds/providers/provider-socket.ts'
import type { ProviderTrades } from '#server/market-data/feeds/providers/provider-trades.ts'
import type {
  Provider,
  ProviderHistory,
  ProviderOptions,
  ProviderSink,
  ProviderSymbol,
  ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import { RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import { REST_LIMITS, RestClient, type RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'
import { SOCKET_LIMITS, type SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

const { stream: URL, rest: REST_URL } = DEFAULT_ADDRESSES.binance

/**
 * 400 streams on a connection. Binance allows 1,024, but with fewer streams a lost connection affects fewer symbols.
 */
const STREAMS_A_CONNECTION = 400

/** Binance allows five messages a second, including pongs, and ends a connection after a day. */
const LIMITS: SocketLimits = {
  ...SOCKET_LIMITS,
  betweenSendsMs: 300,
  renewAfterMs: 23.5 * HOUR_MS,
  // Each symbol has a ticker every second. When all symbols are quiet, Binance answers our probe.
  silenceMs: 6_000,
}

/** After 10 s without data from a subscribed symbol, check whether it exists. */
const SILENT_AFTER_MS = 10_000

/** Letters of any script, because some symbols are not Latin. */
const SYMBOL = /^[\p{L}\p{N}._-]{1,40}$/u

export interface BinanceLimits {
  readonly socket?: Partial<SocketLimits>
  readonly rest?: Partial<RestLimits>
  readonly silentAfterMs?: number
}

interface Group {
  readonly streams: Set<string>
  readonly socket: ProviderSocket<BinanceConversation>
}

/** Binance's spot market: trades or tickers over combined streams, bars over REST. */
export class Binance implements Provider {
  readonly name: string
  readonly history: ProviderHistory
  readonly trades: ProviderTrades
  readonly #url: string
  readonly #tools: ProviderTools
  readonly #limits: SocketLimits
  readonly #silentAfterMs: number
  readonly #rests: RestPeriods
  readonly #rest: RestClient
  readonly #symbols = new Map<string, ProviderSymbol>()
  /** Symbols that have had neither a message nor a successful check by REST. */
  readonly #silentSymbols = new Set<string>()
  readonly #groups: Group[] = []
  #sink: ProviderSink | null = null
  #session: BinanceSession | null = null
  #cancelCheck: (() => void) | null = null
  #checking: Promise<void> = Promise.resolve()

  constructor(options: ProviderOptions, tools: ProviderTools, limits: BinanceLimits = {}) {
    this.name = options.name
    this.#url = streamUrl(options.url ?? URL)
    this.#tools = tools
    this.#limits = { ...LIMITS, ...limits.socket }
    this.#silentAfterMs = limits.silentAfterMs ?? SILENT_AFTER_MS
    const restLimits = { ...REST_LIMITS, ...limits.rest }
    this.#rests = new RestPeriods(tools)
    const address = { url: options.restUrl ?? REST_URL }
    this.#rest = new RestClient(tools, address, restLimits, readBinanceRefusal, this.#rests.calls)
    this.history = new BinanceHistory(this.#rest, tools)
    this.trades = new BinanceTrades(this.#rest)
  }

  readonly restsUntil = () => this.#rests.until

  start(sink: ProviderSink): void {
    this.#sink = sink
    this.#rests.sink = sink
    this.#session = new BinanceSession(this.#tools.clock, sink, (symbol) => this.#groupOf(symbol)?.socket.renew())
    for (const symbol of this.#symbols.values()) this.#begin(symbol)
  }

  follow(symbol: ProviderSymbol): void {
    const name = symbol.symbol.toUpperCase()
    if (this.#symbols.has(name)) return
    this.#symbols.set(name, symbol)
    if (this.#sink !== null) this.#begin(symbol)
  }

  async stop(): Promise<void> {
    this.#sink = null
    this.#rests.sink = null
    this.#session = null
    this.#cancelCheck?.()
    this.#cancelCheck = null
    this.#rest.stop()
    const groups = this.#groups.splice(0)
    await Promise.all([this.#checking, ...groups.map(({ socket }) => socket.stop())])
  }

  #begin(symbol: ProviderSymbol): void {
    this.#session?.follow(symbol)
    if (!SYMBOL.test(symbol.symbol)) return this.#refuse(symbol, 'it is not the name of a symbol')
    const streams = streamsOf(symbol)
    const group = this.#groupWithRoom(streams.length)
    for (const stream of streams) group.streams.add(stream)
    group.socket.start()
    for (const conversation of group.socket.conversations()) conversation.subscribe(streams)
    this.#silentSymbols.add(symbol.symbol.toUpperCase())
    this.#cancelCheck ??= this.#checkAfter(this.#silentAfterMs)
  }

  #namesOf(isMeant: (symbol: ProviderSymbol) => boolean): string[] {
    return [...this.#symbols.values()].filter(isMeant).map(({ symbol }) => symbol)
  }

  #groupWithRoom(count: number): Group {
    const found = this.#groups.find(({ streams }) => streams.size + count <= STREAMS_A_CONNECTION)
    if (found !== undefined) return found
    const streams = new Set<string>()
    const isOfGroup = (symbol: ProviderSymbol) => streamsOf(symbol).some((stream) => streams.has(stream))
    const ears: BinanceHandlers = { ...this.#ears, unread: (trade) => this.#session?.unread(trade, isOfGroup) }
    const socket = new ProviderSocket<BinanceConversation>(this.#tools, {
      url: this.#url,
      limits: this.#limits,
      rest: this.#rests.connections,
      talk: (line) => new BinanceConversation(line, [...streams], ears),
      connected: () => this.#sink?.connected(),
      disconnected: (why) => {
        this.#session?.interrupted(isOfGroup)
        this.#sink?.trouble({ kind: 'disconnected', symbols: this.#namesOf(isOfGroup), why })
      },
      unreadable: (why) => this.#sink?.trouble({ kind: 'unreadable', why }),
    })
    this.#groups.push({ streams, socket })
    return { streams, socket }
  }

  readonly #ears: Omit<BinanceHandlers, 'unread'> = {
    received: (message) => {
      this.#silentSymbols.delete(message.symbol)
      this.#session?.take(message)
    },
    refused: (stream, why) => {
      const symbol = this.#symbols.get(stream?.split('@')[0]?.toUpperCase() ?? '')
      if (symbol !== undefined) this.#refuse(symbol, why)
      else this.#sink?.trouble({ kind: 'refused', symbol: null, why })
    },
  }

  #groupOf(symbol: ProviderSymbol): Group | undefined {
    return this.#groups.find(({ streams }) => streamsOf(symbol).some((stream) => streams.has(stream)))
  }

  #refuse(symbol: ProviderSymbol, why: string): void {
    if (this.#session?.follows(symbol) !== true) return
    this.#session.leave(symbol)
    this.#silentSymbols.delete(symbol.symbol.toUpperCase())
    const group = this.#groupOf(symbol)
    for (const stream of streamsOf(symbol)) group?.streams.delete(stream)
    for (const conversation of group?.socket.conversations() ?? []) conversation.unsubscribe(streamsOf(symbol))
    this.#sink?.trouble({ kind: 'refused', symbol: symbol.symbol, why })
  }

  #checkAfter(ms: number): () => void {
    return this.#tools.clock.after(ms, () => {
      this.#checking = this.#checkSilentSymbols()
    })
  }

  /** Binance also grants subscriptions to streams that do not exist; these stay silent. */
  async #checkSilentSymbols(): Promise<void> {
    for (const name of this.#silentSymbols) {
      const symbol = this.#symbols.get(name)
      if (symbol !== undefined && this.#silentSymbols.has(name)) await this.#ask(symbol)
    }
    this.#cancelCheck = null
    if (this.#sink !== null && this.#silentSymbols.size > 0)
      this.#cancelCheck = this.#checkAfter(this.#silentAfterMs * 6)
  }

  async #ask(symbol: ProviderSymbol): Promise<void> {
    try {
      const status = statusOf(await this.#rest.get('/api/v3/exchangeInfo', { symbol: symbol.symbol.toUpperCase() }))
      this.#silentSymbols.delete(symbol.symbol.toUpperCase())
      if (status !== 'TRADING')
        this.#sink?.trouble({ kind: 'refused', symbol: symbol.symbol, why: `it is not traded now: ${status}` })
    } catch (error) {
      // Other errors say nothing about the symbol, so it is checked again later.
      if (error instanceof BinanceRefusal && error.isAboutTheSymbol) this.#refuse(symbol, error.message)
    }
  }
}

function streamUrl(url: string): string {
  return `${url.replace(/\/(?:stream)?$/, '')}/stream`
}

function streamsOf({ symbol, channel }: ProviderSymbol): string[] {
  const name = symbol.toLowerCase()
  return channel === 'trade' ? [`${name}@trade`, `${name}@ticker`] : [`${name}@ticker`]
}

function statusOf(body: unknown): string {
  const [symbol] = isObject(body) && Array.isArray(body.symbols) ? (body.symbols as unknown[]) : []
  return isObject(symbol) && typeof symbol.status === 'string' ? symbol.status : 'TRADING'
}
