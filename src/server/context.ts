import type { Instant } from '#core/time/instant.ts'

/** The doors through which time reaches server code; tests and the simulation put their own behind them. */
export interface Clock {
  now(): Instant
  /** Calls back once after `ms` (or later); the answer cancels it. */
  after(ms: number, run: () => void): () => void
}
