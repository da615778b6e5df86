import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** 5 s: how far a source's clock may be ahead of ours. A tick further ahead is rejected. */
export const MAX_CLOCK_SKEW_MS = 5_000
/** 60 s: maximum delay of a tick. Older ticks are ignored, as the orders that they could affect are settled or void. */
export const MAX_TICK_DELAY_MS = 60_000
/** 60 s after an expiry: if the watermark has not passed the expiry by then, the orders are void (rule 1). */
export const WATERMARK_LIMIT_MS = 60_000
/** Range of the maximum price age that can be set for a symbol: 0.5 s to 10 minutes. */
export const TICK_AGE_MS = { min: 500, max: 600_000 } as const

/** One price of one symbol as its source reported it. */
export interface SourceTick {
  readonly symbolId: number
  readonly price: Price
  readonly volume: Volume
  /** The time of the price according to the source. All rules compare this time. */
  readonly time: Instant
  /** The provider that reported the price, such as `synthetic` or `replay`. */
  readonly source: string
  /** The provider's number of the trade, where it gives one. */
  readonly ref?: number | undefined
}

/** A tick accepted into the log. Its sequence number orders ticks, also within one millisecond. */
export interface Tick extends SourceTick {
  readonly seq: number
  readonly receivedAt: Instant
}

/** Why the tick log rejects a tick. This is the last check, after the symbol's arbiter. */
export const TICK_REJECTION_REASONS = ['unknown_symbol', 'malformed', 'runs_back', 'ahead', 'late', 'repeated'] as const
export type TickRejectionReason = (typeof TICK_REJECTION_REASONS)[number]
