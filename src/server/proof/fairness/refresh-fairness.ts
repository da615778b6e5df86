import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { computeFairness } from '#server/proof/fairness/compute-fairness.ts'
import { closeFairnessDay, countFairness, forgetOldDays } from '#server/proof/fairness/count-fairness.ts'
import { readFairness, storeFairness } from '#server/proof/fairness/fairness.queries.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 3 s, so that this work does not slow down a starting server. */
const FIRST_AFTER_MS = 3_000

/**
 * The pause after each portion, as a multiple of the duration of the portion. Pauses keep the load low while millions
 * of orders are counted.
 */
const REST_FACTOR = 4
const MIN_REST_MS = 50

/**
 * Counts closed orders every minute and computes the figures from the totals once an hour. If the figures are older
 * than an hour at a start, it computes them within some seconds. Returns a function that stops the work at once, even
 * while orders are left to count.
 */
export function refreshFairness(ctx: Ctx, portion?: number): () => Promise<void> {
  let restMs = FIRST_AFTER_MS
  return runPeriodically(ctx, {
    pauseMs: () => restMs,
    run: async () => {
      restMs = MINUTE_MS
      const startedAt = ctx.now()
      if (await countFairness(ctx, portion)) {
        restMs = Math.max(MIN_REST_MS, REST_FACTOR * (ctx.now() - startedAt))
        return
      }
      await computeIfStale(ctx)
      await closeFairnessDay(ctx)
    },
    failure: 'cannot compute the figures of the fairness page',
  })
}

/** Computes the figures from the counted orders, when the stored figures are older than an hour. */
export async function computeIfStale(ctx: Ctx): Promise<void> {
  const before = await readFairness(ctx.db)
  const startedAt = ctx.now()
  if (before !== null && startedAt < Date.parse(before.computed_at) + HOUR_MS) return
  const figures = await computeFairness(ctx)
  await storeFairness(ctx.db, figures, instant(Date.parse(figures.computed_at)))
  await forgetOldDays(ctx.db, startedAt)
  const tookMs = ctx.now() - startedAt
  ctx.log.info({ tookMs }, 'computed the figures of the fairness page')
}
