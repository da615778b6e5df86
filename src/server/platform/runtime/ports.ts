import type { Instant } from '#core/time/instant.ts'

/** The interface for time in server code. Tests and the simulation provide their own. */
export interface Clock {
  now(): Instant
  /** Calls `run` once after `ms` (or later). The returned function cancels it. */
  after(ms: number, run: () => void): () => void
}

/** Structured log lines: facts first, then a short sentence. Never secrets, tokens, codes or passwords. */
export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** The time used by the server. */
export interface ServerClock extends Clock {
  /** Monotonic milliseconds, unaffected by changes of the wall clock: for rate limits and heartbeats. */
  steady(): number
  /** False while the time is not trusted: then no tick is written and no order accepted. */
  isTrusted(): boolean
}

/** The time functions of a machine. */
export interface MachineClock extends ServerClock {
  /**
   * How long the machine has slept since an arbitrary start, in milliseconds, if known. `steady` does not count that
   * time.
   */
  sleptMs(): number
}
