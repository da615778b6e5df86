import type { Instant } from '#core/time/instant.ts'
import type { Announcement } from '#server/platform/runtime/events.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

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

/** What every use case is handed: the store, time, ids, randomness, the log and the way to tell others. */
export interface Ctx {
  readonly db: Db
  readonly clock: ServerClock
  now(): Instant
  /** A new unique id (UUIDv7: ascending in time). */
  newId(): string
  randomBytes(count: number): Uint8Array
  readonly log: Log
  /** Seals what is personal and opens it again. */
  readonly vault: Vault
  /** Tells the rest of this process what has happened. Called after commit, never inside a transaction. */
  announce(announcement: Announcement): void
  /** Hears every announcement from now on; the answer stops it. */
  onAnnouncement(listener: (announcement: Announcement) => void): () => void
}
