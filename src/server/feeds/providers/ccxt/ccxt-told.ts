import { type Instant, instant } from '#core/time/instant.ts'
import type { Clock } from '#server/context.ts'
import { isObject, plainDecimal, plainPrice, plainTime, Unreadable } from '#server/feeds/providers/exact-json.ts'
import type { ProviderSink, ProviderSymbol } from '#server/feeds/providers/provider.ts'

const MOST_AHEAD_MS = 60_000

/** Turns what the library makes of an exchange's messages into prices of one symbol: exact, in order, each once. */
export class CcxtTold {
  readonly #symbol: ProviderSymbol
  readonly #clock: Pick<Clock, 'now'>
  readonly #sink: ProviderSink
  #lastTime = Number.NEGATIVE_INFINITY
  #lastPrice = ''
  /** Of the trades at that time; those before it are left out anyway. */
  readonly #ids = new Set<string>()

  constructor(symbol: ProviderSymbol, clock: Pick<Clock, 'now'>, sink: ProviderSink) {
    this.#symbol = symbol
    this.#clock = clock
    this.#sink = sink
  }

  /** `areKept`: they may have been told before. */
  trades(told: unknown, areKept = false): void {
    for (const trade of Array.isArray(told) ? (told as unknown[]) : []) this.#reading(() => this.#trade(trade, areKept))
  }

  ticker(told: unknown): void {
    this.#reading(() => {
      const { price, time } = this.#facts(told, 'last')
      if (time <= this.#lastTime) return
      if (price !== this.#lastPrice) return this.#quote(price, '0', time)
      // Tickers come when nobody trades as well. As a quote an old price would look like a fresh one.
      this.#lastTime = time
      this.#sink.alive(this.#symbol.symbol, instant(time - 1))
    })
  }

  #trade(told: unknown, isKept: boolean): void {
    const { price, time, fields } = this.#facts(told, 'price')
    const volume = plainDecimal(fields.amount ?? '0')
    if (volume === null) throw new Unreadable('a volume that makes no sense')
    const id = typeof fields.id === 'string' && fields.id !== '' ? fields.id : null
    if (time < this.#lastTime) return
    // Trades without an id cannot be told from each other.
    if (time === this.#lastTime && (id === null ? isKept : this.#ids.has(id))) return
    this.#quote(price, volume, time)
    if (id !== null) this.#ids.add(id)
  }

  #quote(price: string, volume: string, time: Instant): void {
    if (time > this.#lastTime) this.#ids.clear()
    this.#lastTime = time
    this.#lastPrice = price
    this.#sink.quote({ symbol: this.#symbol.symbol, price, volume, time })
  }

  #facts(told: unknown, name: string) {
    if (!isObject(told)) throw new Unreadable('not an object')
    const price = plainPrice(told[name])
    const time = plainTime(told.timestamp)
    if (price === null || time === null) throw new Unreadable('a price or time that makes no sense')
    // The library works out what an exchange left out, and reads what is no number. What nobody told is none.
    const leaves = leavesOf(told.info, 4)
    if (!leaves.some((leaf) => plainDecimal(leaf) === price)) throw new Unreadable('a price that was not told')
    if (!leaves.some((leaf) => isTime(leaf, time))) throw new Unreadable('a time that was not told')
    if (time > this.#clock.now() + MOST_AHEAD_MS) throw new Unreadable('a time in the future')
    return { price, time: instant(time), fields: told }
  }

  #reading(read: () => void): void {
    try {
      read()
    } catch (error) {
      const why = error instanceof Error ? error.message : 'not readable'
      this.#sink.trouble({ kind: 'unreadable', why: `${this.#symbol.symbol}: ${why}` })
    }
  }
}

/** All values in an exchange's own message. */
function leavesOf(info: unknown, depth: number): readonly unknown[] {
  if (typeof info !== 'object' || info === null || depth === 0) return [info]
  return Object.values(info).flatMap((inner) => leavesOf(inner, depth - 1))
}

/** What a number that tells a time may count, but for milliseconds: seconds, microseconds, nanoseconds; each in ms. */
const UNITS_MS = [1_000, 1e-3, 1e-6]

/**
 * Whether it means this time: as a number from seconds to nanoseconds, or as a date. Who counts milliseconds counts
 * whole ones: what the library made of another number by cutting it was not told.
 */
function isTime(leaf: unknown, time: number): boolean {
  const text = plainDecimal(leaf)
  if (text !== null && text.startsWith('0')) return false
  if (text !== null) return text === String(time) || UNITS_MS.some((unit) => Math.floor(Number(text) * unit) === time)
  if (typeof leaf !== 'string' || !/^\d{4}-\d\d-\d\d/.test(leaf)) return false
  return [leaf, `${leaf.replace(' ', 'T')}Z`].some((date) => Date.parse(date) === time)
}
