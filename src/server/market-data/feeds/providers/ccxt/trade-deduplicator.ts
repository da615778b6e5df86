import { type Instant, instant } from '#core/time/instant.ts'
import type { Clock } from '#server/platform/runtime/ports.ts'
import { isObject, plainDecimal, plainPrice, Unreadable } from '#server/market-data/feeds/providers/exact-json.ts'
import { isAheadOfClock } from '#server/market-data/feeds/providers/clock-skew.ts'
import { Hole } from '#server/market-data/feeds/providers/hole.ts'
import { lostTrades, type ProviderSink, type ProviderSymbol } from '#server/market-data/feeds/providers/provider.ts'
import { readFractionalTime, readMs } from '#server/market-data/feeds/providers/provider-time.ts'

/** 1,000 ids: no exchange sends so many earlier trades again. */
const MAX_IDS = 1_000

/** Converts the library's trades and tickers of one symbol to quotes: exact, in order, each once. */
export class CcxtTradeDeduplicator {
  readonly #symbol: ProviderSymbol
  readonly #clock: Pick<Clock, 'now'>
  readonly #sink: ProviderSink
  readonly #hole = new Hole()
  #lastTime = Number.NEGATIVE_INFINITY
  /** The time of the last reported price. */
  #quotedAt = Number.NEGATIVE_INFINITY
  #lastPrice = ''
  /** Ids of the newest reported trades, in order, to recognise repeats. */
  readonly #ids = new Set<string>()

  constructor(symbol: ProviderSymbol, clock: Pick<Clock, 'now'>, sink: ProviderSink) {
    this.#symbol = symbol
    this.#clock = clock
    this.#sink = sink
  }

  /** `areCached`: the library kept these trades, so they may have been reported before. */
  trades(list: unknown, areCached = false): void {
    for (const trade of Array.isArray(list) ? (list as unknown[]) : []) {
      this.#reading(areCached, () => this.#trade(trade, areCached))
    }
  }

  ticker(ticker: unknown): void {
    this.#reading(false, () => {
      const { price, time } = this.#facts(ticker, 'last')
      if (time < this.#lastTime) return this.#lateTicker(price, time)
      if (time === this.#lastTime && price === this.#lastPrice) return
      if (price !== this.#lastPrice || this.#hole.isOpen) return this.#quote(price, '0', time)
      // Tickers also arrive when there is no trade. Reported as a quote, an old price would look like a fresh one.
      this.#lastTime = time
      this.#sink.alive(this.#symbol.symbol, instant(time - 1))
    })
  }

  /** A newer ticker without a new price has already confirmed the last price. So another price between the two is lost. */
  #lateTicker(price: string, time: Instant): void {
    this.#leaveOut('out_of_order', false)
    if (time < this.#quotedAt || price === this.#lastPrice) return
    const from = instant(this.#lastTime - 1)
    this.#sink.trouble(lostTrades(this.#symbol.symbol, 'a ticker came after newer ones', from))
  }

  /** Notes a message that may have contained a price of this symbol but could not be read. */
  unread(): void {
    const lastTime = this.#lastTime
    // More trades may have been made in the millisecond of the last trade or ticker. So trades are complete only up to
    // the millisecond before.
    this.#hole.open({ lastTime, wholeUntil: lastTime - 1 })
  }

  #trade(trade: unknown, isCached: boolean): void {
    const { price, time, fields } = this.#facts(trade, 'price')
    const volume = plainDecimal(fields.amount)
    if (volume === null) throw new Unreadable('an invalid volume')
    const id = typeof fields.id === 'string' && fields.id !== '' ? fields.id : null
    if (id !== null && time <= this.#lastTime && this.#ids.has(id)) return this.#leaveOut('repeated', isCached)
    if (time < this.#lastTime) {
      this.#keepId(id)
      return this.#leaveOut('out_of_order', isCached)
    }
    // Trades without an id cannot be distinguished from each other.
    if (time === this.#lastTime && id === null && isCached) return
    this.#quote(price, volume, time)
    this.#keepId(id)
  }

  #keepId(id: string | null): void {
    if (id === null) return
    this.#ids.add(id)
    if (this.#ids.size <= MAX_IDS) return
    const [oldest = ''] = this.#ids
    this.#ids.delete(oldest)
  }

  #leaveOut(reason: 'out_of_order' | 'repeated', isCached: boolean): void {
    if (!isCached) this.#sink.unused(this.#symbol.symbol, reason)
  }

  #quote(price: string, volume: string, time: Instant): void {
    const { symbol } = this.#symbol
    const from = this.#hole.end(time)
    if (from !== null) this.#sink.trouble(lostTrades(symbol, 'a message before this price could not be read', from))
    this.#lastTime = time
    this.#quotedAt = time
    this.#lastPrice = price
    this.#sink.quote({ symbol, price, volume, time })
  }

  #facts(value: unknown, name: string) {
    if (!isObject(value)) throw new Unreadable('not an object')
    const price = plainPrice(value[name])
    const time = readMs(value.timestamp)
    if (price === null || time === null) throw new Unreadable('an invalid price or time')
    // The library computes missing fields and parses text that is not a number. Values that the exchange did not send are rejected.
    const leaves = leavesOf(value.info, 4)
    if (!leaves.some((leaf) => plainDecimal(leaf) === price))
      throw new Unreadable('a price that the exchange did not send')
    if (!leaves.some((leaf) => isTime(leaf, time))) throw new Unreadable('a time that the exchange did not send')
    if (isAheadOfClock(time, this.#clock.now())) throw new Unreadable('a time in the future')
    return { price, time, fields: value }
  }

  #reading(areCached: boolean, read: () => void): void {
    try {
      read()
    } catch (error) {
      const why = error instanceof Error ? error.message : 'not readable'
      this.#sink.trouble({ kind: 'unreadable', why: `${this.#symbol.symbol}: ${why}` })
      if (!areCached) this.#sink.unused(this.#symbol.symbol, 'unreadable')
      this.unread()
    }
  }
}

/** All values in the exchange's original message. */
function leavesOf(info: unknown, depth: number): readonly unknown[] {
  if (typeof info !== 'object' || info === null || depth === 0) return [info]
  return Object.values(info).flatMap((inner) => leavesOf(inner, depth - 1))
}

/** Whether the value means this time: as a number whose size gives its unit, or as a date. */
function isTime(leaf: unknown, time: number): boolean {
  if (readFractionalTime(leaf) === time) return true
  if (typeof leaf !== 'string' || !/^\d{4}-\d\d-\d\d[T ]/.test(leaf)) return false
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(leaf) ? leaf : `${leaf.replace(' ', 'T')}Z`) === time
}
