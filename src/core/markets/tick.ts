import type { Price, Volume } from '#core/money/price.ts'
import type { Instant } from '#core/time/instant.ts'

/** How far a source's clock may run ahead of ours: a tick is received no sooner than so long before its time. */
export const MOST_AHEAD_MS = 5_000
/** 60 s: how late a tick may come. Older ones are no prices any more: what they could have moved is closed or void. */
export const MAX_LATE_MS = 60_000
/** Half a second to ten minutes: how old the price of a symbol may be allowed to be. */
export const TICK_AGE_MS = { min: 500, max: 600_000 } as const

/** One price of one symbol as its source reported it. */
export interface SourceTick {
  readonly symbolId: number
  readonly price: Price
  readonly volume: Volume
  /** When the source says it happened. Rules compare this one. */
  readonly time: Instant
  /** Who reported it, e.g. `synthetic`, `replay`. */
  readonly source: string
}

/** A tick that was accepted into the log. Its sequence number orders ticks, also inside one millisecond. */
export interface Tick extends SourceTick {
  readonly seq: number
  readonly receivedAt: Instant
}

/** Why the tick log does not take what a source sent: the last check, after that of the symbol's judge. */
export const KEPT_OUT_REASONS = ['unknown_symbol', 'malformed', 'runs_back', 'ahead', 'late', 'repeated'] as const
export type KeptOutReason = (typeof KEPT_OUT_REASONS)[number]
