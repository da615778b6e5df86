import type { Instant } from '#core/time/instant.ts'
import { ProviderError } from '#server/market-data/feeds/providers/provider.ts'

/** A trade of a provider's public record, exactly as reported. */
export interface RecordedTrade {
  /** The provider's number. */
  readonly ref: number
  /** A plain decimal above zero. */
  readonly price: string
  readonly volume: string
  readonly time: Instant
}

/** Numbers that the record itself leaves out, inclusive. */
export interface AbsentRange {
  readonly from: number
  readonly to: number
}

/** A stretch of a provider's record: each number from the first to the last is a trade or absent. */
export interface RecordedStretch {
  /** Ascending by number. */
  readonly trades: readonly RecordedTrade[]
  readonly absent: readonly AbsentRange[]
  /** Whether the record holds no later trade at the time of the reply. */
  readonly isNewest: boolean
}

export interface TradesQuery {
  readonly symbol: string
  /** The number of a known trade, which the stretch then begins with. Or a time: the stretch then begins with the last trade before it. */
  readonly from: { readonly ref: number; readonly time: Instant } | { readonly time: Instant }
  /** The stretch ends with the first trade after this time. */
  readonly through: Instant
}

/** A provider's public record of single trades. */
export interface ProviderTrades {
  /** Throws a `ProviderError` when the record cannot be read or contradicts itself. An answer that is only partly understood is an error. */
  around(query: TradesQuery): Promise<RecordedStretch>
}

/** 200 pages of 1,000: a longer stretch is asked for by time instead. */
export const MAX_TRADE_PAGES = 200

/** Joins consecutive rows of a record. Rows must ascend by number; numbers between two rows are absent. */
export class StretchBuilder {
  readonly trades: RecordedTrade[] = []
  readonly #absent: AbsentRange[] = []
  readonly #through: Instant
  #next: number | null = null

  constructor(through: Instant) {
    this.#through = through
  }

  /** Whether a trade after the requested time is there. Later rows are not needed. */
  get isComplete(): boolean {
    const last = this.trades.at(-1)
    return last !== undefined && last.time > this.#through
  }

  add(trade: RecordedTrade): void {
    if (this.isComplete) return
    const { ref } = trade
    if (this.#next !== null && ref < this.#next) throw unsound(`trade ${ref} appears twice or out of order`)
    if (this.#next !== null && ref > this.#next) this.#absent.push({ from: this.#next, to: ref - 1 })
    this.trades.push(trade)
    this.#next = ref + 1
  }

  end(isNewest: boolean): RecordedStretch {
    return { trades: this.trades, absent: this.#absent, isNewest: isNewest && !this.isComplete }
  }
}

/** Builds the error of an answer that cannot be trusted. It is asked for again later. */
export function unsound(why: string): ProviderError {
  return new ProviderError(`the record of trades is not sound: ${why}`, { retry: true })
}
