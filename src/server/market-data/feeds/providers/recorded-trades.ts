import type { Instant } from '#core/time/instant.ts'
import type {
  RecordedTrade,
  AbsentRange,
  RecordedStretch,
} from '#server/market-data/feeds/providers/provider-trades.ts'
import { ProviderError } from '#server/market-data/feeds/providers/provider.ts'

/** 200 pages of 1,000 trades: one request reads no more, and fails for a longer range. */
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

  /** Whether a trade after the requested time has been added. Later rows are not needed. */
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

/** Builds the error for a reply that cannot be trusted. A later request may get a correct reply. */
export function unsound(why: string): ProviderError {
  return new ProviderError(`the record of trades is not sound: ${why}`, { retry: true })
}
