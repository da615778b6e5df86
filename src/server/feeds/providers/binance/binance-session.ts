import type { Instant } from '#core/time/instant.ts'
import type { Clock } from '#server/context.ts'
import type { BinanceTicker, BinanceTrade } from '#server/feeds/providers/binance/parse.ts'
import type { ProviderSink, ProviderSymbol } from '#server/feeds/providers/provider.ts'

/** No clock is that far ahead: such a time would block all that comes after it. */
const MOST_AHEAD_MS = 60_000
/** A ticker may come before the trades it counts, but not by so much. */
const BEHIND_AT_MOST_MS = 2_000
/** How often we say that trades do not come. */
const SAY_AGAIN_MS = 60_000

interface Heard {
  readonly symbol: ProviderSymbol
  lastId: bigint | null
  /** Of the last price that was passed on. */
  lastTime: number
  /** Up to here all is told. */
  aliveAt: number
  /** A trade that a ticker knows and we do not, and when it was first spoken of. */
  behind: { id: bigint; since: number } | null
}

/**
 * What was heard so far of each symbol, on whatever connection: leaves out what comes twice or behind later trades, and
 * notices what is missing.
 */
export class BinanceSession {
  readonly #heard = new Map<string, Heard>()
  readonly #clock: Pick<Clock, 'now'>
  readonly #sink: ProviderSink
  /** Tickers come, trades do not: the connection is worth nothing. */
  readonly #deaf: (symbol: ProviderSymbol) => void

  constructor(clock: Pick<Clock, 'now'>, sink: ProviderSink, deaf: (symbol: ProviderSymbol) => void) {
    this.#clock = clock
    this.#sink = sink
    this.#deaf = deaf
  }

  follow(symbol: ProviderSymbol): void {
    const never = Number.NEGATIVE_INFINITY
    this.#heard.set(symbol.symbol.toUpperCase(), {
      symbol,
      lastId: null,
      lastTime: never,
      aliveAt: never,
      behind: null,
    })
  }

  leave(symbol: ProviderSymbol): void {
    this.#heard.delete(symbol.symbol.toUpperCase())
  }

  follows(symbol: ProviderSymbol): boolean {
    return this.#heard.has(symbol.symbol.toUpperCase())
  }

  take(message: BinanceTrade | BinanceTicker): void {
    const heard = this.#heard.get(message.symbol)
    if (heard === undefined) return
    if (message.time > this.#clock.now() + MOST_AHEAD_MS)
      this.#sink.trouble({ kind: 'unreadable', why: `${message.symbol}: a time in the future` })
    else if (message.kind === 'trade') this.#trade(heard, message)
    else if (heard.symbol.channel === 'ticker') this.#price(heard, message.price, '0', message.time)
    else this.#confirm(heard, message)
  }

  #trade(heard: Heard, { id, price, volume, time }: BinanceTrade): void {
    const { lastId } = heard
    if (heard.symbol.channel !== 'trade') return
    if (lastId !== null && id <= lastId) {
      // Ids and times rise together. A lower id with a later time means that ids began anew.
      if (time <= heard.lastTime) return
      this.#lost(heard, `trade ${lastId} was followed by ${id}`)
    } else if (lastId !== null && id > lastId + 1n) {
      this.#lost(heard, `${id - lastId - 1n} trades are missing before ${id}`)
    }
    heard.lastId = id
    this.#price(heard, price, volume, time)
  }

  #price(heard: Heard, price: string, volume: string, time: Instant): void {
    const isOld = heard.symbol.channel === 'ticker' ? time <= heard.lastTime : time < heard.lastTime
    if (isOld || time <= heard.aliveAt) return
    heard.lastTime = time
    this.#sink.quote({ symbol: heard.symbol.symbol, price, volume, time })
  }

  /** A ticker that knows no trade we have not heard says that there was none up to its time. */
  #confirm(heard: Heard, { lastTradeId, knownUpTo, time }: BinanceTicker): void {
    const { lastId, behind } = heard
    if (lastId === null) return
    if (lastTradeId <= lastId) {
      heard.behind = null
      // One that does not know our newest trade was on its way when that came.
      if (lastTradeId < lastId) return
      if (knownUpTo <= heard.aliveAt || knownUpTo < heard.lastTime) return
      heard.aliveAt = knownUpTo
      this.#sink.alive(heard.symbol.symbol, knownUpTo)
    } else if (behind === null || behind.id <= lastId) {
      heard.behind = { id: lastTradeId, since: time }
    } else if (time - behind.since >= BEHIND_AT_MOST_MS) {
      heard.behind = { id: lastTradeId, since: time + SAY_AGAIN_MS }
      this.#lost(heard, `trades up to ${lastTradeId} do not come`)
      this.#deaf(heard.symbol)
    }
  }

  #lost({ symbol }: Heard, why: string): void {
    this.#sink.trouble({ kind: 'lost', symbol: symbol.symbol, why })
  }
}
