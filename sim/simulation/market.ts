import { formatDecimal } from '#core/money/decimal.ts'
import { instant } from '#core/time/instant.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import { NumberedSource } from './numbered-source.ts'
import type { Faults, Plan } from './plan.ts'
import { isNumbered, type NumberedWord, type SourceName, SOURCES, type Word } from './source-words.ts'
import { SYMBOLS } from '../auditor/site-terms.ts'
import { type ListedTrade, TradeList } from './trade-list.ts'

export interface MarketParts {
  readonly kernel: Kernel
  readonly plan: Plan
  readonly startAt: number
  readonly faults: () => Faults
  /** Called with each trade of a source with numbers, and with the price that its record will state. */
  readonly onListed: (source: SourceName, symbol: ListedSymbol, trade: ListedTrade, recordedUnits: number) => void
  readonly say: (source: SourceName, symbol: ListedSymbol, word: Word) => void
}

type Trouble = 'silent' | 'frozen' | 'lying' | 'lagging'
const TROUBLES: readonly Trouble[] = ['silent', 'silent', 'frozen', 'lying', 'lagging']
const GARBAGE = ['0', '-1', 'NaN', '1e308', '', '12,5', '999999999999999999999', '0x10']
const LAG_MS = 9_000

/**
 * The true market, and two sources that report the market slightly late, in their own form, and not always correctly.
 */
export class Market {
  readonly #parts: MarketParts
  readonly #random: Random
  /** The trades of the sources with numbers, by source and symbol. */
  readonly #lists: Readonly<Record<SourceName, Map<string, TradeList>>> = { first: new Map(), second: new Map() }

  constructor(parts: MarketParts) {
    this.#parts = parts
    this.#random = new Random(parts.plan.seed, 'market')
  }

  /** The trades of a source, by symbol. */
  tradesOf(source: SourceName): ReadonlyMap<string, TradeList> {
    return this.#lists[source]
  }

  open(): void {
    for (const symbol of SYMBOLS) {
      const price = { units: symbol.id === 1 ? 6_000_000 : 31_415_900 }
      void this.#wander(price)
      for (const source of SOURCES) {
        if (isNumbered(this.#parts.plan, source)) this.#openNumbered(source, symbol, price)
        else void this.#speak(source, symbol, price)
      }
    }
  }

  #openNumbered(source: SourceName, symbol: ListedSymbol, price: { readonly units: number }): void {
    const { kernel, plan, startAt, faults, say, onListed } = this.#parts
    const list = new TradeList({
      kernel,
      plan,
      startAt,
      source,
      symbol,
      onListed: (trade, recordedUnits) => onListed(source, symbol, trade, recordedUnits),
    })
    this.#lists[source].set(symbol.code, list)
    const { seed } = plan
    const tell = (word: NumberedWord): void => say(source, symbol, word)
    void new NumberedSource({ kernel, seed, startAt, source, symbol, list, price, faults, say: tell }).open()
  }

  async #wander(price: { units: number }): Promise<never> {
    for (;;) {
      await this.#parts.kernel.sleep(this.#random.wait(3_000))
      price.units += this.#random.integer(-3, 3)
    }
  }

  async #speak(source: SourceName, symbol: ListedSymbol, price: { readonly units: number }): Promise<never> {
    const { kernel, plan, faults } = this.#parts
    const random = new Random(plan.seed, `${source} ${symbol.code}`)
    let trouble: { readonly what: Trouble; readonly until: number; readonly units: number } | null = null
    let nextTrouble = random.wait(faults().badSourceEveryMs || 1)
    for (;;) {
      await kernel.sleep(random.integer(1_200, 3_600))
      const { badSourceEveryMs, badSourceMs } = faults()
      if (trouble !== null && (kernel.now >= trouble.until || badSourceEveryMs === 0)) trouble = null
      if (badSourceEveryMs > 0 && kernel.now >= nextTrouble) {
        trouble = { what: random.pick(TROUBLES), until: kernel.now + random.wait(badSourceMs), units: price.units }
        nextTrouble = trouble.until + random.wait(badSourceEveryMs)
      }
      if (trouble?.what === 'silent') continue
      const behind = trouble?.what === 'lagging' ? LAG_MS : 0
      const time = this.#parts.startAt + kernel.now - random.integer(5, 60) - behind
      if (random.chance(0.3)) {
        this.#parts.say(source, symbol, { kind: 'alive', symbol: symbol.code, time })
        continue
      }
      const units = trouble?.what === 'frozen' ? trouble.units : price.units + random.integer(0, 1)
      this.#quote(source, symbol, {
        time,
        units: trouble?.what === 'lying' ? units + Math.floor(units / 20) : units,
        random,
      })
    }
  }

  #quote(
    source: SourceName,
    symbol: ListedSymbol,
    { time, units, random }: { readonly time: number; readonly units: number; readonly random: Random },
  ): void {
    const { spike, wrongTime, garbage, saidTwice } = this.#parts.faults()
    const sentUnits = random.chance(spike) ? units * 100 : units
    const at = random.chance(wrongTime) ? time + random.pick([-70_000, -3_000, -400, 2_000, 7_000, 3_600_000]) : time
    const isGarbage = random.chance(garbage)
    const price = isGarbage ? random.pick(GARBAGE) : formatDecimal(BigInt(sentUnits), symbol.decimals)
    const quote = { symbol: symbol.code, price, volume: '1', time: instant(at) }
    for (let times = random.chance(saidTwice) ? 2 : 1; times > 0; times -= 1) {
      this.#parts.say(source, symbol, { kind: 'quote', quote, units: isGarbage ? 0 : sentUnits })
    }
  }
}
