import type { Session } from '#core/markets/calendar/sessions.ts'
import type { LeftOutReason } from '#core/markets/log-text.ts'
import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** The first or the second source of a symbol. */
export type SourceIndex = 0 | 1

/** A price of one source, in our units. */
export interface SourceQuote {
  readonly price: Price
  readonly volume: Volume
  /** The time of the price according to the source. */
  readonly time: Instant
  /** The provider's number of the trade, where it gives one. */
  readonly ref?: number | undefined
}

export interface ReceivedQuote extends SourceQuote {
  readonly receivedAt: Instant
}

/**
 * Limits of the arbiter. Times are in milliseconds. Distances between prices are in hundredths of a percent and in tick
 * sizes. The larger of both is the limit.
 */
export interface ArbiterLimits {
  readonly silentAfterMs: number
  readonly lateAfterMs: number
  readonly backAfterMs: number
  readonly divergenceBp: number
  readonly divergenceTicks: number
  readonly agreeAfterMs: number
  readonly spikeBp: number
  readonly spikeTicks: number
  /** Maximum age of the newest price for an order. */
  readonly maxTickAgeMs: number
  /** A source time further ahead of our clock than this is invalid. */
  readonly maxClockSkewMs: number
  /** A price received later than this after its time is ignored. */
  readonly maxTickDelayMs: number
}

export interface ArbiterOptions {
  readonly limits: ArbiterLimits
  readonly sources: 1 | 2
  readonly startedAt: Instant
  /** Returns the session that contains an instant, or the next one. */
  readonly session: (ms: number) => Session
}

export type SourceState = 'well' | 'silent' | 'late' | 'refused'
export type PriceDoubt = 'divergence' | 'spike' | 'lost'

/** A problem that lasts for some time. `source` is null when it concerns no single source. */
export type LastingTrouble = 'divergence' | 'gap' | Exclude<SourceState, 'well'>

/** Effects for the caller to apply, in this order. */
export type ArbiterEffect =
  | { readonly kind: 'tick'; readonly source: SourceIndex; readonly quote: SourceQuote }
  | { readonly kind: 'heartbeat'; readonly time: Instant }
  | { readonly kind: 'doubt'; readonly doubt: PriceDoubt | null }
  | { readonly kind: 'switched'; readonly to: SourceIndex; readonly why: SourceState; readonly at: Instant }
  /** Prices of the source in use are missing after `from`, up to its next price. Null: after its newest message. */
  | { readonly kind: 'missed'; readonly from: Instant | null }
  /** A trade of the source in use makes no price. */
  | { readonly kind: 'left_out'; readonly source: SourceIndex; readonly ref: number; readonly why: LeftOutReason }
  | { readonly kind: 'dropped'; readonly source: SourceIndex; readonly quote: SourceQuote; readonly at: Instant }
  | {
      readonly kind: 'began' | 'ended'
      readonly trouble: LastingTrouble
      readonly source: SourceIndex | null
      readonly at: Instant
    }
