import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import { computeFairness } from '#server/fairness/compute-fairness.ts'
import { readFairness, storeFairness } from '#server/fairness/fairness.queries.ts'
import { createNap } from '#server/nap.ts'
import { repeat } from '#server/repeat.ts'

/** After a start the server has better things to do for a moment. */
const FIRST_AFTER_MS = 3_000

/** It rests so many times as long as each portion took: reading millions of orders must cost those who trade little. */
const REST_FACTOR = 4

/** Computes the figures of the fairness page once an hour, and soon after a start when they are older. A stop does not wait for them. */
export function keepFairness(ctx: Ctx): () => Promise<void> {
  const nap = createNap(ctx.clock)
  let [isFirst, isStopped] = [true, false]
  const stop = repeat(ctx, {
    pauseMs: () => (isFirst ? FIRST_AFTER_MS : MINUTE_MS),
    run: async () => {
      isFirst = false
      let portionAt = ctx.now()
      await computeIfStale(ctx, async () => {
        const tookMs = ctx.now() - portionAt
        if (tookMs > 0 && !isStopped) await nap.take(REST_FACTOR * tookMs)
        if (isStopped) throw new Error('the server stops')
        portionAt = ctx.now()
      })
    },
    failure: 'the figures of the fairness page could not be computed',
  })
  return () => {
    isStopped = true
    nap.end()
    return stop()
  }
}

/** `between` has its turn after each portion of the orders. */
export async function computeIfStale(ctx: Ctx, between?: () => Promise<void>): Promise<void> {
  const before = await readFairness(ctx.db)
  if (before !== null && ctx.now() < Date.parse(before.computed_at) + HOUR_MS) return
  const startedAt = ctx.now()
  const figures = await computeFairness(ctx, between === undefined ? {} : { between })
  await storeFairness(ctx.db, figures, instant(Date.parse(figures.computed_at)))
  const tookMs = ctx.now() - startedAt
  ctx.log.info({ tookMs }, 'the figures of the fairness page were computed')
}
