import { type Instant, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { clockErrorMs, insertClockMinute } from '#server/market-data/clock/clock.queries.ts'
import { measureClocks } from '#server/market-data/clock/measure-clocks.ts'
import type { FeedClocks } from '#server/market-data/feeds/base/feed-clocks.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { FaultRegistry } from '#server/platform/faults/fault-registry.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 250 ms: a larger error, or a larger step between two measurements, is reported. */
const WARNED_MS = SECOND_MS / 4
/** 1 s: with a larger error no orders are accepted. */
const REFUSED_MS = SECOND_MS
/** Five minutes: how long the providers may disagree on the time before no orders are accepted. */
const DISAGREE_MS = 5 * MINUTE_MS
/** 10 s: how often the clocks are measured while ours is wrong. */
const OFF_EVERY_MS = 10 * SECOND_MS

export interface ClockWatchParts {
  readonly ctx: Ctx
  readonly clocks: () => FeedClocks
  readonly faults: Pick<FaultRegistry, 'set'>
}

/**
 * Compares this server's clock with the clocks of the providers once a minute, and stores the result. While the
 * server's clock is more than a second off, no orders are accepted. The providers' times always decide expiries.
 */
export function watchClocks(parts: ClockWatchParts): () => Promise<void> {
  const watch = new ClockWatch(parts)
  const stop = runPeriodically(parts.ctx, {
    pauseMs: () => SECOND_MS,
    run: () => watch.look(),
    failure: 'the clocks of the price providers could not be compared',
  })
  return async () => {
    for (const clock of parts.clocks().remotes) clock.stop()
    await stop()
  }
}

class ClockWatch {
  readonly #parts: ClockWatchParts
  #measuredAt = Number.NEGATIVE_INFINITY
  /** Our clock minus the monotonic clock, at the last measurement that other clocks confirmed. */
  #line: number | null = null
  #disagreeSince: Instant | null = null
  #isOff = false

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  async look(): Promise<void> {
    const { clock } = this.#parts.ctx
    const stepMs = this.#line === null ? 0 : Math.round(this.#currentLine() - this.#line)
    const isStepped = Math.abs(stepMs) > WARNED_MS
    if (isStepped) this.#setOff(stepMs)
    const pauseMs = this.#isOff ? OFF_EVERY_MS : MINUTE_MS
    if (!isStepped && clock.steady() - this.#measuredAt < pauseMs) return
    this.#measuredAt = clock.steady()
    await this.#measure()
  }

  #currentLine(): number {
    const { clock } = this.#parts.ctx
    return clock.now() - clock.steady()
  }

  async #measure(): Promise<void> {
    const { ctx, clocks } = this.#parts
    const line = this.#currentLine()
    const measured = await measureClocks(ctx, clocks())
    await insertClockMinute(ctx.db, { at: ctx.now(), clocks: measured })
    // Without a measurement the last result stays valid.
    if (measured.length === 0) return
    const errorMs = clockErrorMs(measured)
    if (errorMs !== null) this.#line = line
    this.#judge(errorMs)
  }

  /** `errorMs`: the error of our clock; null when the other clocks agree on no time. */
  #judge(errorMs: number | null): void {
    const { ctx, faults } = this.#parts
    if (errorMs === null) {
      this.#disagreeSince ??= ctx.now()
      if (ctx.now() - this.#disagreeSince >= DISAGREE_MS) this.#setOff(null)
      return
    }
    this.#disagreeSince = null
    const size = Math.abs(errorMs)
    faults.set('clock_deviates', size > WARNED_MS && size <= REFUSED_MS ? { seconds: errorMs / SECOND_MS } : null)
    if (size > REFUSED_MS) return this.#setOff(errorMs)
    this.#isOff = false
    faults.set('clock_off', null)
  }

  #setOff(errorMs: number | null): void {
    this.#isOff = true
    this.#parts.faults.set('clock_off', errorMs === null ? {} : { seconds: errorMs / SECOND_MS })
  }
}
