import type { Session } from '#core/markets/calendar/sessions.ts'
import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** The first or the second source of a symbol. */
export type SourceIndex = 0 | 1

/** A price as one source gave it, in our units. */
export interface SourceQuote {
  readonly price: Price
  readonly volume: Volume
  /** When the source says it happened. */
  readonly time: Instant
}

export interface HeardQuote extends SourceQuote {
  readonly heardAt: Instant
}

/** Times in milliseconds; distances between prices in hundredths of a percent and in tick sizes, of which the larger counts. */
export interface JudgeLimits {
  readonly silentAfterMs: number
  readonly lateAfterMs: number
  readonly backAfterMs: number
  readonly divergenceBp: number
  readonly divergenceTicks: number
  readonly agreeAfterMs: number
  readonly spikeBp: number
  readonly spikeTicks: number
  /** How old the newest price may be for an order. */
  readonly maxTickAgeMs: number
  /** What is further ahead of our clock than this is no time at all. */
  readonly mostAheadMs: number
  /** A price that comes later than this is none any more. */
  readonly mostLateMs: number
}

export interface JudgeOptions {
  readonly limits: JudgeLimits
  readonly sources: 1 | 2
  readonly startedAt: Instant
  /** The session at a moment, or else the next one. */
  readonly session: (ms: number) => Session
}

export type SourceState = 'well' | 'silent' | 'late' | 'refused'
export type PriceDoubt = 'divergence' | 'spike' | 'lost'

/** What begins, goes on for a while and ends; `source` is null when it is about none in particular. */
export type LastingTrouble = 'divergence' | 'gap' | Exclude<SourceState, 'well'>

/** What is to be done, in this order. */
export type JudgeEffect =
  | { readonly kind: 'tick'; readonly source: SourceIndex; readonly quote: SourceQuote }
  | { readonly kind: 'heartbeat'; readonly time: Instant }
  | { readonly kind: 'doubt'; readonly doubt: PriceDoubt | null }
  | { readonly kind: 'switched'; readonly to: SourceIndex; readonly why: SourceState; readonly at: Instant }
  | { readonly kind: 'dropped'; readonly source: SourceIndex; readonly quote: SourceQuote; readonly at: Instant }
  | {
      readonly kind: 'began' | 'ended'
      readonly trouble: LastingTrouble
      readonly source: SourceIndex | null
      readonly at: Instant
    }
