const SWEEP_MS = 60_000
/**
 * The pause after a backfill, as a multiple of its duration. The pause is long because each backfill reads the last
 * minutes again, at the expense of other work.
 */
const SWEEP_REST_FACTOR = 20
/** 5 minutes. After a start, a backfill looks back ten minutes, so it covers the longest pause twice. */
const MAX_BACKFILL_PAUSE_MS = 5 * SWEEP_MS
/** The pause until the cluster has chosen the server that runs the backfill. */
const FIRST_SWEEP_MS = 2_000
/** If this server was not chosen within 5 minutes after its start, another server runs the backfill. */
const OTHERS_SWEEP_AFTER_MS = 5 * SWEEP_MS

/** Decides when the next backfill runs, and whether another server runs it. */
export class BackfillSchedule {
  #startedAt: number
  /** The duration of the last complete backfill, without its pauses; null before the first. */
  #lastTookMs: number | null = null
  /**
   * When this server last failed to queue an order, so that the backfill has to make its receipt. Null before the first
   * such order.
   */
  #leftAt: number | null = null

  constructor(now: number) {
    this.#startedAt = now
  }

  /**
   * Notes the start of this server. If the server was killed before, its newest orders have no receipts yet, so `start`
   * counts as leaving an order.
   */
  start(now: number): void {
    this.#startedAt = now
    this.#leftAt = now
  }

  /** Notes that the backfill has to make the receipt of an order. */
  leave(now: number): void {
    this.#leftAt = now
  }

  /** Notes a complete backfill. */
  complete(tookMs: number): void {
    this.#lastTookMs = tookMs
  }

  /** If this server does not run the backfill, returns whether another server certainly runs it. */
  isWithOthers(now: number): boolean {
    return this.#lastTookMs !== null || now - this.#startedAt >= OTHERS_SWEEP_AFTER_MS
  }

  /** Whether the backfill that began at `begunAt` skipped orders, because they were younger than `minAgeMs` then. */
  hasYounger(begunAt: number, minAgeMs: number): boolean {
    return minAgeMs > 0 && this.#leftAt !== null && this.#leftAt >= begunAt - minAgeMs
  }

  pauseMs(now: number): number {
    if (!this.isWithOthers(now)) return FIRST_SWEEP_MS
    return Math.min(Math.max(SWEEP_MS, SWEEP_REST_FACTOR * (this.#lastTookMs ?? 0)), MAX_BACKFILL_PAUSE_MS)
  }
}
