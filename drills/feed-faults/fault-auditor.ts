import { FROM, type FaultName, script, TO, type Word } from './fault-script.ts'

/*
 * Works out from the script alone what the rules require for each fault, without using the product's code. The trusted
 * source of each moment is written down by hand, fault by fault, as docs/reference/feeds.md defines it. Prices, orders
 * and results follow from that.
 */

const SILENT = 1_500
const BACK = 15_000
const AGREE = 2_000
const MAX_AGE_MS = 5_000
const PASSES_WITHIN = 60_000
const LOOK = 200
const UNNOTICED = 150
const MAX_HOLD_MS = 5_000

/** A span in which the feed must publish the quotes of this source as prices. */
interface Believed {
  readonly source: 0 | 1
  readonly from: number
  readonly to: number
}

interface Reading {
  readonly believed: readonly Believed[]
  /** The spans in which the price is suspect. */
  readonly doubts: readonly { readonly from: number; readonly to: number }[]
  /** Quotes that become prices only when the next quote confirms them, and quotes that never become prices. */
  readonly confirmedBy?: ReadonlyMap<Word, Word>
  readonly never?: ReadonlySet<Word>
}

export interface ExpectedTick {
  readonly source: 0 | 1
  readonly time: number
  readonly units: number
  /** When the feed must publish the quote as a price, in ms since the start of the run. */
  readonly at: number
}

export type ExpectedOrder =
  | { readonly kind: 'refused' }
  | { readonly kind: 'void'; readonly entry: number; readonly reason: string }
  | { readonly kind: 'settled'; readonly entry: number; readonly exit: number; readonly outcome: 1 | 2 | 3 }

export class FaultAuditor {
  readonly words: readonly Word[]
  readonly ticks: readonly ExpectedTick[]
  readonly #reading: Reading

  constructor(fault: FaultName, sources: 1 | 2) {
    this.words = script(fault, sources)
    this.#reading = this.#read(fault, sources)
    this.ticks = this.#ticks()
  }

  /** Returns the expected outcome of an order that is placed at `placedAt` for `length` ms. */
  order(placedAt: number, length: number, isBuy: boolean): ExpectedOrder {
    const late = this.#lateAt(placedAt)
    const at = late > UNNOTICED && late <= MAX_HOLD_MS ? placedAt + late : placedAt
    if (this.#lateAt(at) > MAX_HOLD_MS) return { kind: 'refused' }
    const entry = this.ticks.findLast((tick) => tick.at <= at)
    const isInDoubt = this.#reading.doubts.some(({ from, to }) => from <= at && at < to)
    if (entry === undefined || isInDoubt || at - entry.time > MAX_AGE_MS) return { kind: 'refused' }
    const expiry = at + length
    const passed = this.ticks.find((tick) => tick.time > expiry)
    if (passed === undefined || passed.at > expiry + PASSES_WITHIN)
      return { kind: 'void', entry: entry.units, reason: 'no_price_after_expiry' }
    const exit = this.ticks.findLast((tick) => tick.time <= expiry)
    if (exit === undefined || expiry - exit.time > MAX_AGE_MS)
      return { kind: 'void', entry: entry.units, reason: 'no_tick_before_expiry' }
    const difference = (exit.units - entry.units) * (isBuy ? 1 : -1)
    const outcome = difference > 0 ? 1 : difference < 0 ? 2 : 3
    return { kind: 'settled', entry: entry.units, exit: exit.units, outcome }
  }

  /**
   * Returns when the last message of the first source arrived before the fault silenced it. The feed must switch to the
   * other source within two seconds of it. 0 if there was no message.
   */
  get lastWordBefore(): number {
    return this.#of(0).findLast(({ at }) => at < FROM + SILENT && at < this.#resumes())?.at ?? 0
  }

  /**
   * Returns the feed delay at `at`: the delay of the newest price, or the second largest of the last ten seconds'
   * delays if that is longer. The delay of a second is the largest delay of its prices.
   */
  #lateAt(at: number): number {
    const seenTicks = this.ticks.filter((tick) => tick.at <= at)
    const last = seenTicks.at(-1)
    if (last === undefined) return 0
    const worst = Array.from({ length: 10 }, (_, back) => {
      const own = seenTicks.filter((tick) => secondOf(tick) === secondOf(last) - back)
      return Math.max(0, ...own.map((tick) => tick.at - tick.time))
    })
    return Math.max(last.at - last.time, worst.toSorted((one, other) => other - one)[1] ?? 0)
  }

  #read(fault: FaultName, sources: 1 | 2): Reading {
    const always: Believed = { source: 0, from: 0, to: Infinity }
    const quotes = this.#of(0).filter(({ kind }) => kind === 'quote')
    const wrong = quotes.filter(({ time }) => time >= FROM && time < TO)
    const honest = quotes.filter(({ time }) => time >= TO)
    if (fault === 'lies once') {
      // The next quote shows that this quote was wrong.
      const [lie, next] = wrong
      return { believed: [always], doubts: [between(lie, next)], never: new Set(lie ? [lie] : []) }
    }
    if (fault === 'lies' && sources === 1) {
      // With one source, a lie cannot be distinguished from the market: the second lie confirms the first. Afterwards
      // the second honest quote confirms the first honest one.
      const pairs = [wrong.slice(0, 2), honest.slice(0, 2)]
      return {
        believed: [always],
        doubts: pairs.map(([first, second]) => between(first, second)),
        confirmedBy: new Map(pairs.flatMap(([first, second]) => (first && second ? [[first, second]] : []))),
      }
    }
    if (fault === 'lies') return this.#contradicted(0, 0)
    if (fault === 'second lies') return this.#contradicted(1, 1)
    if (sources === 1 || fault === 'none' || fault === 'flaps') return { believed: [always], doubts: [] }
    const over = this.#noticed(this.lastWordBefore + SILENT)
    const back = fault === 'dies' ? Infinity : this.#noticed(this.#resumes() + BACK)
    return {
      believed: [
        { source: 0, from: 0, to: over },
        { source: 1, from: over, to: back },
        { source: 0, from: back, to: Infinity },
      ],
      doubts: [],
    }
  }

  /**
   * The expected reading when one of two sources lies.
   * The first lie waits for a confirmation. If the lying source is in use, the price is suspect from then on. The
   * second lie confirms the first and contradicts the other source. The suspicion ends 2 s after the first honest
   * price.
   */
  #contradicted(liar: 0 | 1, afterLies: 0 | 1): Reading {
    const quotes = this.#of(liar).filter(({ kind }) => kind === 'quote')
    const lies = quotes.filter(({ time }) => time >= FROM && time < TO)
    const begin = lies[afterLies]?.at ?? 0
    const honest = quotes.find(({ time }) => time >= TO)?.at ?? 0
    const end = this.#noticed(honest + AGREE)
    return {
      believed: [
        { source: 0, from: 0, to: begin },
        { source: 0, from: end, to: Infinity },
      ],
      doubts: [{ from: begin, to: end }],
    }
  }

  /** Returns when the first source recovers for good: its first recent quote after its last silence. */
  #resumes(): number {
    const fresh = this.#of(0).filter(({ at, time }) => at - time < AGREE)
    const breaks = fresh.flatMap((word, place) => {
      const before = fresh[place - 1]
      return before !== undefined && word.at - before.at >= SILENT ? [word.at] : []
    })
    return breaks.at(-1) ?? Infinity
  }

  #ticks(): ExpectedTick[] {
    const { believed, never, confirmedBy } = this.#reading
    const ticks: ExpectedTick[] = []
    const add = ({ source, time, units }: Word, at: number) => {
      if (time >= (ticks.at(-1)?.time ?? 0)) ticks.push({ source, time, units, at })
    }
    for (const { source, from, to } of believed) {
      const quotes = this.#of(source).filter((word) => word.kind === 'quote' && !never?.has(word))
      const newest = quotes.findLast(({ at }) => at < from)
      if (newest !== undefined && newest.time > (ticks.at(-1)?.time ?? 0)) add(newest, from)
      for (const quote of quotes) {
        if (quote.at >= from && quote.at < to) add(quote, confirmedBy?.get(quote)?.at ?? quote.at)
      }
    }
    return ticks
  }

  /** Returns when the feed notices a state: at the next message of a source or at its next periodic check. */
  #noticed(at: number): number {
    const word = this.words.find((one) => one.at >= at)?.at ?? Infinity
    return Math.min(word, Math.ceil(at / LOOK) * LOOK)
  }

  #of(source: 0 | 1): Word[] {
    return this.words.filter((word) => word.source === source)
  }
}

function secondOf({ at }: ExpectedTick): number {
  return Math.floor(at / 1_000)
}

function between(first: Word | undefined, second: Word | undefined) {
  return { from: first?.at ?? 0, to: second?.at ?? 0 }
}
