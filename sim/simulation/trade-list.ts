import { formatDecimal } from '#core/money/decimal.ts'
import { ProviderError } from '#server/market-data/feeds/providers/provider.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { Random } from '../kernel/random.ts'
import type { SourceName } from './source-words.ts'
import type { Plan } from './plan.ts'

/** A trade of a source. `units` is 0 when the trade has no valid price. */
export interface ListedTrade {
  readonly ref: number
  readonly units: number
  readonly time: number
}

/** One row of the record: the trades `first` to `last`, of one price and time. */
interface Row {
  readonly trades: readonly ListedTrade[]
  /**
   * The price that the record states. This price differs from the price of the stream when the source contradicts
   * itself.
   */
  readonly recordedUnits: number
}

export interface TradeListParts {
  readonly kernel: Kernel
  readonly plan: Plan
  readonly startAt: number
  readonly source: SourceName
  readonly symbol: { readonly code: string; readonly decimals: number }
  /** Called with each trade, and with the price that the record will state for it. */
  readonly onListed: (trade: ListedTrade, recordedUnits: number) => void
}

const MAX_TRADES_A_ROW = 3
const SAME_ROW = 0.2
const MAX_ABSENT = 3

/**
 * All trades of one symbol that a source made, by number, and the public record that the source shows of these trades.
 */
export class TradeList {
  readonly #parts: TradeListParts
  readonly #random: Random
  readonly #rows: Row[] = []
  #next = 1_000

  constructor(parts: TradeListParts) {
    this.#parts = parts
    this.#random = new Random(parts.plan.seed, `trades of ${parts.source} ${parts.symbol.code}`)
  }

  get newest(): ListedTrade | null {
    return this.#rows.at(-1)?.trades.at(-1) ?? null
  }

  /** Makes one row of trades at this price now. */
  trade(price: number): readonly ListedTrade[] {
    const { absent, contradicted } = this.#parts.plan.sources
    const random = this.#random
    const time = this.#parts.startAt + this.#parts.kernel.now
    if (random.chance(absent)) this.#next += random.integer(1, MAX_ABSENT)
    const recordedUnits = price > 0 && random.chance(contradicted) ? price + 1 : price
    const trades: ListedTrade[] = []
    do {
      trades.push({ ref: this.#next, units: price, time })
      this.#next += 1
    } while (trades.length < MAX_TRADES_A_ROW && random.chance(SAME_ROW))
    this.#rows.push({ trades, recordedUnits })
    for (const trade of trades) this.#parts.onListed(trade, recordedUnits)
    return trades
  }

  /** Answers a call of the record as the source's web address does. `isDamaged`: a row of the page is missing. */
  page(query: Readonly<Record<string, string | number>>, isDamaged: boolean): unknown[] {
    const { kernel, plan, startAt } = this.#parts
    const until = startAt + kernel.now - plan.sources.recordDelayMs
    const count = this.#rows.findLastIndex(({ trades }) => (trades[0]?.time ?? 0) <= until) + 1
    const limit = Number(query['limit'])
    let from = Math.max(0, count - limit)
    if (query['fromId'] !== undefined) from = Number(query['fromId'])
    else if (query['startTime'] !== undefined) {
      const at = this.#rows.findIndex(({ trades }) => (trades[0]?.time ?? 0) >= Number(query['startTime']))
      from = at === -1 ? count : at
    }
    const page = this.#rows.slice(from, Math.min(count, from + limit)).map((row, at) => this.#text(row, from + at))
    if (isDamaged && page.length > 2) page.splice(1, 1)
    return page
  }

  #text({ trades, recordedUnits }: Row, id: number): unknown {
    const { decimals } = this.#parts.symbol
    const [first, last] = [trades[0]?.ref, trades.at(-1)?.ref]
    // The record shows a trade without a price as a row that the source has lost, with negative numbers.
    const numbers = recordedUnits > 0 ? { f: first, l: last } : { f: -1, l: -1 }
    return { a: id, p: formatDecimal(BigInt(recordedUnits), decimals), q: '1', ...numbers, T: trades[0]?.time }
  }
}

export interface RecordAccess {
  readonly kernel: Kernel
  readonly random: Random
  readonly faults: () => { readonly recordFails: number; readonly recordDamaged: number; readonly recordSlowMs: number }
  readonly isAway: () => boolean
  readonly lists: ReadonlyMap<string, TradeList>
}

/** The web address of a source's record: slow, sometimes unreachable, sometimes with a damaged page. */
export function recordAddress({ kernel, random, faults, isAway, lists }: RecordAccess) {
  return {
    async get(_path: string, query: Readonly<Record<string, string | number>> = {}): Promise<unknown> {
      const { recordFails, recordDamaged, recordSlowMs } = faults()
      await kernel.sleep(random.integer(5, 30) + (recordSlowMs > 0 ? random.wait(recordSlowMs) : 0))
      if (isAway() || random.chance(recordFails)) throw new ProviderError('the record does not answer', { retry: true })
      return lists.get(String(query['symbol']))?.page(query, random.chance(recordDamaged)) ?? []
    },
  }
}
