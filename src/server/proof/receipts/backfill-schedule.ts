const SWEEP_MS = 60_000
/**
 * The pause after a backfill, as a multiple of its duration. Each backfill reads the last minutes again, at the expense
 * of other work.
 */
const SWEEP_REST_FACTOR = 20
/** Half of the ten minutes that a backfill looks back after a start. */
const MAX_BACKFILL_PAUSE_MS = 5 * SWEEP_MS
/** Used until the cluster has chosen the server that runs the backfill. */
const FIRST_SWEEP_MS = 2_000
/** After this time another server runs the backfill. */
const OTHERS_SWEEP_AFTER_MS = 5 * SWEEP_MS

/** Decides when the next backfill runs, and whether another server runs it. */
export class BackfillSchedule {
  #startedAt: number
  /** The duration of the last complete backfill, without its pauses; null before the first. */
  #lastTookMs: number | null = null
  /** When an order was last left to the backfill. Null before the first such order. */
  #leftAt: number | null = null

  constructor(now: number) {
    this.#startedAt = now
  }

  /** A server that was killed left its newest orders to the backfill. */
  start(now: number): void {
    this.#startedAt = now
    this.#leftAt = now
  }

  /** Notes that an order was left to the backfill. */
  leave(now: number): void {
    this.#leftAt = now
  }

  /** Notes a complete backfill. */
  complete(tookMs: number): void {
    this.#lastTookMs = tookMs
  }

  /** Whether another server certainly runs the backfill, when this server does not. */
  isWithOthers(now: number): boolean {
    return this.#lastTookMs !== null || now - this.#startedAt >= OTHERS_SWEEP_AFTER_MS
  }

  /**
   * Whether the backfill that began at `begunAt` skipped orders because they were younger than `minAgeMs`.
   */
  hasYounger(begunAt: number, minAgeMs: number): boolean {
    return minAgeMs > 0 && this.#leftAt !== null && this.#leftAt >= begunAt - minAgeMs
  }

  pauseMs(now: number): number {
    if (!this.isWithOthers(now)) return FIRST_SWEEP_MS
    return Math.min(Math.max(SWEEP_MS, SWEEP_REST_FACTOR * (this.#lastTookMs ?? 0)), MAX_BACKFILL_PAUSE_MS)
  }
}
