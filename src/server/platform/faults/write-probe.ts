import { SECOND_MS } from '#core/time/instant.ts'
import type { ServerClock } from '#server/platform/runtime/ports.ts'

/** A small write slower than 2 s counts as failed, because orders would wait just as long. */
const SLOW_MS = 2 * SECOND_MS

export interface WriteFailure {
  readonly error: unknown
}

/** A small write that is repeated, to show whether the database can write. */
export class WriteProbe {
  readonly #clock: Pick<ServerClock, 'steady'>
  readonly #write: () => Promise<void>
  #startedAt: number | null = null
  #succeededAt: number
  #succeedsSince: number
  #failure: WriteFailure | null = null

  constructor(clock: Pick<ServerClock, 'steady'>, write: () => Promise<void>) {
    this.#clock = clock
    this.#write = write
    this.#succeededAt = clock.steady()
    this.#succeedsSince = this.#succeededAt
  }

  /** Why the last write failed; null when it succeeded. */
  get failure(): WriteFailure | null {
    return this.#failure
  }

  /** Since when the writes have succeeded without interruption. */
  get succeedsSince(): number {
    return this.#succeedsSince
  }

  /** How long there has been no reply, in ms. */
  get silentMs(): number {
    return this.#failure === null && this.#startedAt === null ? 0 : this.#clock.steady() - this.#succeededAt
  }

  /** Whether a write has been without a reply for too long. */
  isLateAt(now: number): boolean {
    return this.#startedAt !== null && now - this.#startedAt > SLOW_MS
  }

  /** Resolves to the failure when this write failed and the previous write succeeded. */
  async run(): Promise<WriteFailure | null> {
    this.#startedAt = this.#clock.steady()
    try {
      // Retried once: a connection lost since its last use says nothing about the database.
      await this.#write().catch(() => this.#write())
      const isLate = this.isLateAt(this.#clock.steady())
      this.#succeededAt = this.#clock.steady()
      if (this.#failure !== null || isLate) this.#succeedsSince = this.#succeededAt
      this.#failure = null
      return null
    } catch (error) {
      const isFirst = this.#failure === null
      this.#failure = { error }
      return isFirst ? this.#failure : null
    } finally {
      this.#startedAt = null
    }
  }
}
