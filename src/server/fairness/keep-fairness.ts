import { HOUR_MS, instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/context.ts'
import { computeFairness } from '#server/fairness/compute-fairness.ts'
import { readFairness, storeFairness } from '#server/fairness/fairness.queries.ts'
import { repeat } from '#server/repeat.ts'

/** After a start the server has better things to do for a moment. */
const FIRST_AFTER_MS = 3_000

/** Computes the figures of the fairness page once an hour, and soon after a start when they are older. */
export function keepFairness(ctx: Ctx): () => Promise<void> {
  let isFirst = true
  return repeat(ctx, {
    pauseMs: () => (isFirst ? FIRST_AFTER_MS : MINUTE_MS),
    run: async () => {
      isFirst = false
      await computeIfStale(ctx)
    },
    failure: 'the figures of the fairness page could not be computed',
  })
}

export async function computeIfStale(ctx: Ctx): Promise<void> {
  const before = await readFairness(ctx.db)
  if (before !== null && ctx.now() < Date.parse(before.computed_at) + HOUR_MS) return
  const startedAt = ctx.now()
  const figures = await computeFairness(ctx)
  await storeFairness(ctx.db, figures, instant(Date.parse(figures.computed_at)))
  const tookMs = ctx.now() - startedAt
  ctx.log.info({ tookMs }, 'the figures of the fairness page were computed')
}
