import { DAY_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createCancellableSleep } from '#server/platform/concurrency/cancellable-sleep.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/pack-ticks.queries.ts'

/** Batches stay unpacked for 10 minutes, longer than any reader of recent ticks looks back. */
const LOOSE_MS = 10 * MINUTE_MS
/** A step blocks the database for about 0.1 s. The embedded database has only one connection. */
const TICKS_PER_STEP = 1_000
const MAX_STEPS = 200
/** Pause between two steps, for waiting orders and prices. */
const REST_MS = 100

/**
 * Packs ticks older than 10 minutes and removes ticks older than `retentionDays`, step by step. Returns a function that
 * stops this work.
 */
export function keepTickLog(ctx: Ctx, retentionDays: number): () => Promise<void> {
  let isEnding = false
  const pause = createCancellableSleep(ctx.clock)
  const stop = runPeriodically(ctx, {
    pauseMs: () => MINUTE_MS,
    failure: 'the tick log could not be packed',
    run: async () => {
      for (let step = 0; step < MAX_STEPS; step += 1) {
        const packed = await packTicks(ctx.db, later(ctx.now(), -LOOSE_MS), TICKS_PER_STEP)
        const dropped = await dropTicks(ctx.db, later(ctx.now(), -retentionDays * DAY_MS))
        // A stop during the step is noticed here.
        if (isEnding || (packed === 0 && dropped === null)) return
        await pause.sleep(REST_MS)
      }
    },
  })
  return () => {
    isEnding = true
    pause.wake()
    return stop()
  }
}
