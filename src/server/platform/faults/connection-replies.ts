import { sql } from 'kysely'
import { SECOND_MS } from '#core/time/instant.ts'
import type { DatabaseWay } from '#server/platform/database/database-health.ts'
import type { ServerClock } from '#server/platform/runtime/ports.ts'

/** Connections without a reply for this long get a query. */
const PING_AFTER_MS = SECOND_MS
/** Connections that gave no reply for 6 s do not work, even if other connections work. */
const SILENT_MS = 6 * SECOND_MS
/** By 20 s these connections were replaced several times, so only a new process helps. */
const DEAD_MS = 20 * SECOND_MS
/** A check this late means the process was suspended. Missing replies then say nothing about the database. */
const MAX_LOOK_GAP_MS = 2 * SECOND_MS
/**
 * Connections without which no order is accepted, settled or stored. Other connections may be delayed by users'
 * requests.
 */
const VITAL: ReadonlySet<DatabaseWay['name']> = new Set(['orders', 'prices', 'leases'])

/** Observes which groups of connections still give replies. */
export class ConnectionReplies {
  readonly #clock: Pick<ServerClock, 'steady'>
  readonly #ways: readonly DatabaseWay[]
  readonly #vital: readonly DatabaseWay[]
  readonly #pinged = new Set<DatabaseWay>()
  #lookedAt: number
  /** Since when this process has run without suspension. */
  #awakeSince: number

  constructor(clock: Pick<ServerClock, 'steady'>, ways: readonly DatabaseWay[]) {
    this.#clock = clock
    this.#ways = ways
    this.#vital = ways.filter(({ name }) => VITAL.has(name))
    this.#lookedAt = clock.steady()
    this.#awakeSince = this.#lookedAt
  }

  /** Sends a query on connections that have not been used for a while. */
  ping(): void {
    for (const way of this.#ways) {
      if (this.#pinged.has(way) || this.#clock.steady() - way.lastReplyAt() < PING_AFTER_MS) continue
      this.#pinged.add(way)
      void sql`select 1`
        .execute(way.db)
        .catch(() => {})
        .finally(() => this.#pinged.delete(way))
    }
  }

  /**
   * Returns the vital groups of connections that do not work. Must be called regularly, because a late call counts as a
   * suspension.
   */
  silentAt(now: number): DatabaseWay[] {
    if (now - this.#lookedAt > MAX_LOOK_GAP_MS) this.#awakeSince = now
    this.#lookedAt = now
    return this.#vital.filter((way) => now - this.#lastReplyAt(way) > SILENT_MS)
  }

  /**
   * Returns whether only a new process helps. When the database recovers, at `writesSince`, its connections have the
   * same time again to reply.
   */
  isDeadAt(now: number, way: DatabaseWay, writesSince: number): boolean {
    return now - Math.max(this.#lastReplyAt(way), writesSince) > DEAD_MS
  }

  /** A connection that was never used has no reply, so the start of the process counts instead. */
  #lastReplyAt(way: DatabaseWay): number {
    return Math.max(this.#awakeSince, way.lastReplyAt())
  }
}
