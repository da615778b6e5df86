import type { Instant } from '#core/time/instant.ts'

/** The doors through which time reaches server code; tests and the simulation put their own behind them. */
export interface Clock {
  now(): Instant
  /** Calls back once after `ms` (or later); the answer cancels it. */
  after(ms: number, run: () => void): () => void
}

/** Structured log lines: facts first, then a short sentence. Never secrets, tokens, codes or passwords. */
export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** The time as the server goes by it. */
export interface ServerClock extends Clock {
  /** Milliseconds since some moment, whatever is done to the wall clock: for allowances and heartbeats. */
  steady(): number
  /** False while the time is in doubt: then no tick is written and no order taken. */
  isTrusted(): boolean
}

/** What a machine tells of the time. */
export interface MachineClock extends ServerClock {
  /** How long the machine has slept since some moment, as far as it says: time that `steady` does not count. */
  sleptMs(): number
}
