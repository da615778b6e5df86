import { cutConnections, makeExchange, wordsOf } from '#server/market-data/feeds/providers/ccxt/ccxt-exchange.ts'
import { CcxtHistory, isFinal } from '#server/market-data/feeds/providers/ccxt/ccxt-history.ts'
import { type CcxtExchange, type CcxtLibrary, loadCcxt } from '#server/market-data/feeds/providers/ccxt/ccxt-library.ts'
import { CcxtTradeDeduplicator } from '#server/market-data/feeds/providers/ccxt/trade-deduplicator.ts'
import { isObject } from '#server/market-data/feeds/providers/exact-json.ts'
import { createHideKey, type HideKey, withoutKey } from '#server/market-data/feeds/providers/hide-key.ts'
import { chance } from '#server/market-data/feeds/providers/provider-socket.ts'
import {
  type Provider,
  ProviderError,
  type ProviderHistory,
  type ProviderOptions,
  type ProviderSink,
  type ProviderSymbol,
  type ProviderTools,
} from '#server/market-data/feeds/providers/provider.ts'
import { RestPeriods } from '#server/market-data/feeds/providers/rest-period.ts'
import { REST_LIMITS, RestClient, type RestLimits } from '#server/market-data/feeds/providers/rest-client.ts'
import { SOCKET_LIMITS, type SocketLimits } from '#server/market-data/feeds/providers/socket-limits.ts'

/** A longer silence limit, because quiet markets of small exchanges send nothing for a while. */
const LIMITS: SocketLimits = { ...SOCKET_LIMITS, silenceMs: 60_000 }
const SILENCE_STEPS = 10

export interface CcxtLimits {
  readonly socket?: Partial<SocketLimits>
  readonly rest?: Partial<RestLimits>
}

/** Creates a provider for any exchange that ccxt supports, by its id. Loads the library, which is an optional dependency. */
export async function ccxt(options: ProviderOptions, exchange: string, tools: ProviderTools): Promise<Provider> {
  return new Ccxt(await loadCcxt(), { ...options, exchange }, tools)
}

/** One exchange through the library. The library parses messages; this class checks numbers and order. */
export class Ccxt implements Provider {
  readonly name: string
  readonly history: ProviderHistory
  readonly #exchange: CcxtExchange
  readonly #tools: ProviderTools
  readonly #limits: SocketLimits
  readonly #rests: RestPeriods
  readonly #rest: RestClient
  readonly #hideKey: HideKey
  readonly #symbols = new Map<string, ProviderSymbol>()
  readonly #deduplicators = new Map<string, CcxtTradeDeduplicator>()
  readonly #timers = new Set<() => void>()
  #sink: ProviderSink | null = null
  #isStopped = false
  #isConnected = false
  #quietSteps = 0
  #markets: Promise<void> | null = null

  constructor(
    library: CcxtLibrary,
    options: ProviderOptions & { readonly exchange: string },
    tools: ProviderTools,
    limits: CcxtLimits = {},
  ) {
    const make = library.get(options.exchange)
    if (make === undefined) throw new Error(`ccxt cannot follow an exchange called ${options.exchange}`)
    this.name = options.name
    this.#tools = tools
    this.#hideKey = createHideKey(options.key)
    this.#limits = { ...LIMITS, ...limits.socket }
    this.#rests = new RestPeriods(tools)
    this.#rest = new RestClient(tools, { url: '' }, { ...REST_LIMITS, ...limits.rest }, undefined, this.#rests.calls)
    this.#exchange = makeExchange({
      make,
      options,
      limits: this.#limits,
      rest: this.#rest,
      listener: {
        opened: () => this.#opened(),
        lost: (why) => this.#lost(why),
        received: (message) => this.#received(message),
        unreadable: (why) => this.#unreadable(why),
      },
    })
    this.history = new CcxtHistory(this.#exchange, tools, () => this.#loadMarkets(), this.#hideKey)
  }

  readonly restsUntil = () => this.#rests.until

  start(listener: ProviderSink): void {
    const sink = withoutKey(listener, this.#hideKey)
    this.#sink = sink
    this.#rests.sink = sink
    for (const symbol of this.#symbols.values()) this.#run(symbol, sink)
    this.#watch()
  }

  follow(symbol: ProviderSymbol): void {
    if (this.#symbols.has(symbol.symbol)) return
    this.#symbols.set(symbol.symbol, symbol)
    if (this.#sink !== null) this.#run(symbol, this.#sink)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#sink = null
    this.#rests.sink = null
    this.#rest.stop()
    cutConnections(this.#exchange, 'it was stopped')
    for (const cancel of this.#timers) cancel()
    this.#timers.clear()
    await Promise.resolve()
  }

  #run(symbol: ProviderSymbol, sink: ProviderSink): void {
    const deduplicator = new CcxtTradeDeduplicator(symbol, this.#tools.clock, sink)
    this.#deduplicators.set(symbol.symbol, deduplicator)
    void this.#follow(symbol, deduplicator)
  }

  async #follow(symbol: ProviderSymbol, deduplicator: CcxtTradeDeduplicator): Promise<void> {
    for (let failures = 0; !this.#isStopped; failures += 1)
      try {
        await this.#loadMarkets()
        for (let isAnew = true; !this.#isStopped; isAnew = false) {
          const next = this.#next(symbol)
          // Handles the prices that the library received before this first call after a start or a failure.
          if (isAnew) this.#catchUp(symbol, deduplicator)
          const received = await next
          if (this.#isStopped) return
          failures = 0
          if (symbol.channel === 'trade') deduplicator.trades(received)
          else deduplicator.ticker(received)
        }
      } catch (error) {
        if (this.#isStopped) return
        if (isFinal(error)) {
          this.#sink?.trouble({ kind: 'refused', symbol: symbol.symbol, why: wordsOf(error, this.#hideKey) })
          return
        }
        if (error instanceof ProviderError) this.#lost(error.message)
        await this.#backOff(failures)
      }
  }

  #next({ symbol, channel }: ProviderSymbol): Promise<unknown> {
    return channel === 'trade' ? this.#exchange.watchTrades(symbol) : this.#exchange.watchTicker(symbol)
  }

  #catchUp({ symbol, channel }: ProviderSymbol, deduplicator: CcxtTradeDeduplicator): void {
    const { trades, tickers } = this.#exchange
    if (channel === 'trade') deduplicator.trades(isObject(trades) ? trades[symbol] : null, true)
    else if (isObject(tickers) && symbol in tickers) deduplicator.ticker(tickers[symbol])
  }

  /** Loads the exchange's markets, which the library needs first. An empty list is treated as a failure. */
  #loadMarkets(): Promise<void> {
    this.#markets ??= this.#exchange.loadMarkets(true).then(() => {
      if (isObject(this.#exchange.markets) && Object.keys(this.#exchange.markets).length > 0) return
      throw new ProviderError('the exchange has no markets', { retry: true })
    })
    this.#markets.catch(() => {
      this.#markets = null
    })
    return this.#markets
  }

  #backOff(failures: number): Promise<void> {
    const { backOffFromMs, backOffToMs } = this.#limits
    // The first retry is immediate: an unreadable message fails all pending calls, and a pause would
    // miss the messages after it.
    const maxBackOffMs = failures === 0 ? 0 : Math.min(backOffToMs, backOffFromMs * 2 ** Math.min(failures, 20))
    return new Promise((resolve) => {
      this.#after(chance(this.#tools) * maxBackOffMs, resolve)
    })
  }

  #opened(): void {
    if (this.#isStopped) return cutConnections(this.#exchange, 'it was stopped')
    this.#quietSteps = 0
  }

  #lost(why: string): void {
    this.#isConnected = false
    this.#sink?.trouble({ kind: 'disconnected', symbols: [...this.#symbols.keys()], why })
  }

  #received(message: unknown): boolean {
    // Text that is not JSON is unreadable, except for the plain ping and pong texts that some exchanges send.
    if (typeof message === 'string' && !/^"?(?:ping|pong)"?$/i.test(message)) {
      this.#unreadable(`not JSON: ${message.slice(0, 80)}`)
      return false
    }
    this.#quietSteps = 0
    if (!this.#isConnected) this.#sink?.connected()
    this.#isConnected = true
    return true
  }

  #unreadable(why: string): void {
    this.#sink?.trouble({ kind: 'unreadable', why })
    this.#sink?.unused(null, 'unreadable')
    for (const symbol of this.#symbols.values()) this.#unread(symbol)
  }

  /** Handles earlier messages first, then notes the unreadable one. */
  #unread(symbol: ProviderSymbol): void {
    const deduplicator = this.#deduplicators.get(symbol.symbol)
    if (deduplicator === undefined) return
    this.#catchUp(symbol, deduplicator)
    deduplicator.unread()
  }

  /** The library detects a dead connection only by pings. A connection that answers pings but sends nothing is treated as dead too. */
  #watch(): void {
    this.#after(this.#limits.silenceMs / SILENCE_STEPS, () => {
      this.#quietSteps += 1
      if (this.#quietSteps >= SILENCE_STEPS) {
        this.#quietSteps = 0
        cutConnections(this.#exchange, `nothing was heard for ${this.#limits.silenceMs} ms`)
      }
      this.#watch()
    })
  }

  #after(ms: number, run: () => void): void {
    const cancel = this.#tools.clock.after(ms, () => {
      this.#timers.delete(cancel)
      if (!this.#isStopped) run()
    })
    this.#timers.add(cancel)
  }
}
