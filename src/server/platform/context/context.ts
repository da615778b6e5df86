import type { Instant } from '#core/time/instant.ts'
import type { Announcement } from '#server/platform/runtime/events.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

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
