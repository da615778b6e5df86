import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { computeFairness } from '#server/proof/fairness/compute-fairness.ts'
import { closeFairnessDay, countFairness, forgetOldDays } from '#server/proof/fairness/count-fairness.ts'
import { readFairness, storeFairness } from '#server/proof/fairness/fairness.queries.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

/** After a start the server has better things to do for a moment. */
const FIRST_AFTER_MS = 3_000

/** It rests so many times as long as each portion took: counting millions of orders must cost those who trade little. */
const REST_FACTOR = 4
const LEAST_REST_MS = 50

/**
 * Counts closed orders each minute, and computes the figures of the fairness page from that once an hour, and soon after a
 * start when they are older. The answer stops it, whatever is still to be counted.
 */
export function keepFairness(ctx: Ctx, portion?: number): () => Promise<void> {
  let restMs = FIRST_AFTER_MS
  return repeat(ctx, {
    pauseMs: () => restMs,
    run: async () => {
      restMs = MINUTE_MS
      const startedAt = ctx.now()
      if (await countFairness(ctx, portion)) {
        restMs = Math.max(LEAST_REST_MS, REST_FACTOR * (ctx.now() - startedAt))
        return
      }
      await computeIfStale(ctx)
      await closeFairnessDay(ctx)
    },
    failure: 'the figures of the fairness page could not be computed',
  })
}

/** Of what has been counted. */
export async function computeIfStale(ctx: Ctx): Promise<void> {
  const before = await readFairness(ctx.db)
  const startedAt = ctx.now()
  if (before !== null && startedAt < Date.parse(before.computed_at) + HOUR_MS) return
  const figures = await computeFairness(ctx)
  await storeFairness(ctx.db, figures, instant(Date.parse(figures.computed_at)))
  await forgetOldDays(ctx.db, startedAt)
  const tookMs = ctx.now() - startedAt
  ctx.log.info({ tookMs }, 'the figures of the fairness page were computed')
}
