import type { RealitySession } from '#core/accounts/reality-check.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { findRealityCheck, usersWithRealityCheck } from '#server/users/limits/reality.queries.ts'

/**
 * A cached session is read again after a minute. While its check waits for the user's answer, it is read again after a
 * second.
 */
const FRESH_MS = MINUTE_MS
const DUE_FRESH_MS = SECOND_MS
const MAX_KNOWN = 10_000

interface Known {
  /** Null when the user has no reality check, or no session of trading now. */
  readonly session: RealitySession | null
  readonly until: Instant
}

/** Caches the reality checks of the users who trade through this server. */
export class RealityChecks {
  readonly #ctx: Ctx
  readonly #known = new Map<string, Known>()
  /** The reads in progress, by user. Orders of a user that arrive at the same time share one read. */
  readonly #reading = new Map<string, Promise<Known>>()
  /** Counts changes of users' rules. A row that was requested before a change does not enter the cache. */
  #changes = 0
  readonly #stopListening: () => void

  constructor(ctx: Ctx) {
    this.#ctx = ctx
    this.#stopListening = ctx.subscribe((event) => {
      if (event.kind !== 'limits-changed' && event.kind !== 'events-missed') return
      this.#changes += 1
      this.#reading.clear()
      if (event.kind === 'limits-changed') this.#known.delete(event.userId)
      else this.#known.clear()
    })
  }

  stop(): void {
    this.#stopListening()
  }

  /**
   * Returns the session whose figures the user must look at before the next order. Returns null when no check is due.
   */
  async due(userId: string): Promise<RealitySession | null> {
    const { session } = this.#fresh(userId) ?? (await this.#read(userId))
    return session !== null && session.dueAt <= this.#ctx.now() ? session : null
  }

  /**
   * Returns the sessions of these users whose check is due. For unknown users, one query first finds out who has a
   * reality check at all.
   */
  async dueOf(userIds: readonly string[]): Promise<ReadonlyMap<string, RealitySession>> {
    const unknown = userIds.filter((userId) => this.#fresh(userId) === null)
    const changes = this.#changes
    const having = unknown.length === 0 ? new Set() : await usersWithRealityCheck(this.#ctx.db, unknown)
    for (const userId of unknown) if (!having.has(userId)) this.#keep(userId, null, changes)
    const due = new Map<string, RealitySession>()
    for (const userId of userIds) {
      const session = await this.due(userId)
      if (session !== null) due.set(userId, session)
    }
    return due
  }

  #fresh(userId: string): Known | null {
    const known = this.#known.get(userId)
    return known !== undefined && this.#ctx.now() < known.until ? known : null
  }

  #read(userId: string): Promise<Known> {
    const reading = this.#reading.get(userId)
    if (reading !== undefined) return reading
    const changes = this.#changes
    const read = findRealityCheck(this.#ctx.db, userId, { now: this.#ctx.now() })
      .then((check) => this.#keep(userId, check?.session ?? null, changes))
      .finally(() => this.#reading.get(userId) === read && this.#reading.delete(userId))
    this.#reading.set(userId, read)
    return read
  }

  /** Caches a session, unless rules have changed since the query was sent. */
  #keep(userId: string, session: RealitySession | null, changes: number): Known {
    const now = this.#ctx.now()
    const freshUntil = later(now, FRESH_MS)
    const until =
      session === null
        ? freshUntil
        : session.dueAt <= now
          ? later(now, DUE_FRESH_MS)
          : earlier(session.dueAt, freshUntil)
    const known = { session, until }
    if (changes !== this.#changes) return known
    if (this.#known.size >= MAX_KNOWN) this.#known.clear()
    this.#known.set(userId, known)
    return known
  }
}

function earlier(a: Instant, b: Instant): Instant {
  return a < b ? a : b
}
