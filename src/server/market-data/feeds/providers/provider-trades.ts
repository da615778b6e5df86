import type { Instant } from '#core/time/instant.ts'

/** A trade of a provider's public record, exactly as reported. */
export interface RecordedTrade {
  /** The provider's number. */
  readonly ref: number
  /** A plain decimal above zero. */
  readonly price: string
  readonly volume: string
  readonly time: Instant
}

/** A range of trade numbers that the record itself leaves out. Both ends belong to the range. */
export interface AbsentRange {
  readonly from: number
  readonly to: number
}

/** A range of a provider's record: each number from the first to the last is a trade or absent. */
export interface RecordedStretch {
  /** Ascending by number. */
  readonly trades: readonly RecordedTrade[]
  readonly absent: readonly AbsentRange[]
  /** Whether the record contained no later trade at the time of the reply. */
  readonly isNewest: boolean
}

export interface TradesQuery {
  readonly symbol: string
  /** The range begins with the trade of this number, or with the last trade before this time. */
  readonly from: { readonly ref: number; readonly time: Instant } | { readonly time: Instant }
  /** The range ends with the first trade after this time. */
  readonly through: Instant
}

/** A provider's public record of single trades. */
export interface ProviderTrades {
  /** Throws a `ProviderError` when the record cannot be read or contradicts itself. A reply that is only partly understood is an error. */
  around(query: TradesQuery): Promise<RecordedStretch>
}
