import { formatDecimal } from '#core/money/decimal.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import type { NumberedMessage, NumberedWord, SourceName } from './source-words.ts'
import type { Faults } from './plan.ts'
import type { ListedTrade, TradeList } from './trade-list.ts'

export interface NumberedSourceParts {
  readonly kernel: Kernel
  readonly seed: number
  readonly startAt: number
  readonly source: SourceName
  readonly symbol: ListedSymbol
  readonly list: TradeList
  /** The price of the market. */
  readonly price: { readonly units: number }
  readonly faults: () => Faults
  readonly say: (word: NumberedWord) => void
}

type Trouble = 'silent' | 'broken' | 'frozen' | 'lying' | 'lagging'
const TROUBLES: readonly Trouble[] = ['silent', 'broken', 'broken', 'frozen', 'lying', 'lagging']
const LAG_MS = 9_000
const SPIKE = 100
const LATE_MS = 2_500
/** Of 100 lost trades, 97 are lost because the connection breaks. The others are lost without any sign. */
const BREAKS = 0.97

/** A source that makes numbered trades and sends most of them, in order, to the server. */
export class NumberedSource {
  readonly #parts: NumberedSourceParts
  readonly #random: Random
  #trouble: { readonly what: Trouble; readonly until: number; readonly units: number } | null = null
  #nextTrouble: number

  constructor(parts: NumberedSourceParts) {
    this.#parts = parts
    this.#random = new Random(parts.seed, `${parts.source} ${parts.symbol.code} by number`)
    this.#nextTrouble = this.#random.wait(parts.faults().badSourceEveryMs || 1)
  }

  async open(): Promise<never> {
    const { kernel, list } = this.#parts
    const random = this.#random
    for (;;) {
      await kernel.sleep(random.integer(400, 2_600))
      this.#weighTrouble()
      const { spike, saidTwice, tradeUnpriced } = this.#parts.faults()
      if (random.chance(0.3) && list.newest !== null) {
        this.#send({ kind: 'ticker', newestRef: list.newest.ref, time: this.#parts.startAt + kernel.now })
        continue
      }
      const price = random.chance(tradeUnpriced) ? 0 : this.#units()
      for (const trade of list.trade(random.chance(spike) ? price * SPIKE : price)) {
        for (let times = random.chance(saidTwice) ? 2 : 1; times > 0; times -= 1) this.#deliver(trade)
      }
    }
  }

  #weighTrouble(): void {
    const { kernel, faults, price } = this.#parts
    const { badSourceEveryMs, badSourceMs } = faults()
    const random = this.#random
    if (this.#trouble !== null && (kernel.now >= this.#trouble.until || badSourceEveryMs === 0)) this.#trouble = null
    if (badSourceEveryMs === 0 || kernel.now < this.#nextTrouble) return
    this.#trouble = { what: random.pick(TROUBLES), until: kernel.now + random.wait(badSourceMs), units: price.units }
    this.#nextTrouble = this.#trouble.until + random.wait(badSourceEveryMs)
    if (this.#trouble.what === 'broken') this.#send({ kind: 'interrupted' })
  }

  #units(): number {
    const units = this.#trouble?.what === 'frozen' ? this.#trouble.units : this.#parts.price.units
    return this.#trouble?.what === 'lying' ? units + Math.floor(units / 20) : units
  }

  #deliver({ ref, units, time }: ListedTrade): void {
    const { decimals } = this.#parts.symbol
    const { tradeLost, tradeUnread, tradeLate } = this.#parts.faults()
    const random = this.#random
    if (random.chance(tradeLost)) {
      // If a trade is lost without an interruption, the product notices this only at the next number, and then accepts
      // no price for a time.
      if (random.chance(BREAKS)) this.#send({ kind: 'interrupted' })
      return
    }
    if (random.chance(tradeUnread)) return this.#send({ kind: 'unread', ref })
    const price = formatDecimal(BigInt(units), decimals)
    const word = { kind: 'trade', ref, price, time } as const
    if (random.chance(tradeLate)) this.#parts.kernel.after(random.wait(LATE_MS), () => this.#send(word))
    else this.#send(word)
  }

  /** Messages take a constant time, so that they keep their order. */
  #send(word: NumberedMessage): void {
    const what = this.#trouble?.what
    if ((what === 'silent' || what === 'broken') && word.kind !== 'interrupted') return
    const { kernel, symbol, say } = this.#parts
    const spoken = { ...word, symbol: symbol.code }
    kernel.after(what === 'lagging' ? LAG_MS : 40, () => say(spoken))
  }
}
