import { type Instant, instant } from '#core/time/instant.ts'
import type { Clock } from '#server/context.ts'
import type { BinanceTicker, BinanceTrade } from '#server/feeds/providers/binance/parse.ts'
import { isFarAhead } from '#server/feeds/providers/far-ahead.ts'
import type { ProviderSink, ProviderSymbol } from '#server/feeds/providers/provider.ts'

/**
 * How far behind a ticker we say that all is told. Trades reach the streams up to 214 ms after they happened, as recorded:
 * a ticker may be made while one that it does not know is on its way.
 */
const IN_FLIGHT_MS = 250
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
    if (isFarAhead(message.time, this.#clock.now()))
      this.#sink.trouble({ kind: 'unreadable', why: `${message.symbol}: a time in the future` })
    else if (message.kind === 'trade') this.#trade(heard, message)
    else if (heard.symbol.channel === 'ticker') this.#lastPrice(heard, message)
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
    if (time < heard.lastTime || time <= heard.aliveAt) this.#lost(heard, `trade ${id} came after newer ones`)
    else this.#price(heard, price, volume, time)
  }

  /**
   * The statistics of a day change every second, also when nobody trades: only another last trade is a price. Otherwise
   * an old price would look like a fresh one.
   */
  #lastPrice(heard: Heard, { price, lastTradeId, time }: BinanceTicker): void {
    if (time <= heard.lastTime || time <= heard.aliveAt) return
    if (lastTradeId === heard.lastId) return this.#alive(heard, instant(time - 1))
    heard.lastId = lastTradeId
    this.#price(heard, price, '0', time)
  }

  #price(heard: Heard, price: string, volume: string, time: Instant): void {
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
      if (lastTradeId === lastId) this.#alive(heard, instant(knownUpTo - IN_FLIGHT_MS))
    } else if (behind === null || behind.id <= lastId) {
      heard.behind = { id: lastTradeId, since: time }
    } else if (time - behind.since >= BEHIND_AT_MOST_MS) {
      heard.behind = { id: lastTradeId, since: time + SAY_AGAIN_MS }
      this.#lost(heard, `trades up to ${lastTradeId} do not come`)
      this.#deaf(heard.symbol)
    }
  }

  #alive(heard: Heard, time: Instant): void {
    if (time <= heard.aliveAt || time < heard.lastTime) return
    heard.aliveAt = time
    this.#sink.alive(heard.symbol.symbol, time)
  }

  #lost({ symbol }: Heard, why: string): void {
    this.#sink.trouble({ kind: 'lost', symbol: symbol.symbol, why })
  }
}
