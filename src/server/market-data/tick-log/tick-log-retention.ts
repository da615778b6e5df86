import { DAY_MS, later, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { createNap } from '#server/platform/concurrency/cancellable-sleep.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'
import { dropTicks, packTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'

/** Batches stay loose for so long: longer than anything reads back for the ticks of just now. */
const LOOSE_MS = 10 * MINUTE_MS
/** A step holds the database for about a tenth of a second, also the embedded one, which has one connection. */
const TICKS_PER_STEP = 1_000
const MOST_STEPS = 200
/** Between two steps, for those who wait with orders and prices. */
const REST_MS = 100

/** Packs what is no longer new and lets go of what is too old, step by step; answers how to stop it. */
export function keepTickLog(ctx: Ctx, keptDays: number): () => Promise<void> {
  let isEnding = false
  const nap = createNap(ctx.clock)
  const stop = repeat(ctx, {
    pauseMs: () => MINUTE_MS,
    failure: 'the tick log could not be packed',
    run: async () => {
      for (let step = 0; step < MOST_STEPS; step += 1) {
        const packed = await packTicks(ctx.db, later(ctx.now(), -LOOSE_MS), TICKS_PER_STEP)
        const dropped = await dropTicks(ctx.db, later(ctx.now(), -keptDays * DAY_MS))
        // Nobody is told any more of an end that came during the step.
        if (isEnding || (packed === 0 && dropped === null)) return
        await nap.take(REST_MS)
      }
    },
  })
  return () => {
    isEnding = true
    nap.end()
    return stop()
  }
}
