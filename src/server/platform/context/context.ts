import type { Instant } from '#core/time/instant.ts'
import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { Log, ServerClock } from '#server/platform/runtime/ports.ts'
import type { Vault } from '#server/platform/encryption/vault.ts'

/** The dependencies of every use case: database, time, ids, randomness, log and events. */
export interface Ctx {
  readonly db: Db
  readonly clock: ServerClock
  now(): Instant
  /** A new unique id (UUIDv7: ascending in time). */
  newId(): string
  randomBytes(count: number): Uint8Array
  readonly log: Log
  /** Encrypts personal data and decrypts it again. */
  readonly vault: Vault
  /**
   * Announces a committed event to the rest of this process. Must be called after the commit, never inside a
   * transaction.
   */
  publish(announcement: DomainEvent): void
  /** Subscribes to all later events. The returned function unsubscribes. */
  subscribe(listener: (announcement: DomainEvent) => void): () => void
}
