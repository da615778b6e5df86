import type { FastifyInstance } from 'fastify'
import { calls } from '#contract/calls.ts'
import { type Fairness, FAIRNESS_CSV_PATH } from '#contract/fairness.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { fairnessCsv } from '#server/proof/fairness/fairness-csv.ts'
import { readFairness } from '#server/proof/fairness/fairness.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'

/** Registers the figures of the fairness page, as JSON and as CSV. */
export function fairnessRoutes(register: Register, app: FastifyInstance, ctx: Ctx): void {
  let last: { readonly at: number; readonly figures: Fairness } | null = null
  /** Reads the figures from the database at most once a minute, for any number of calls. */
  const figures = async (): Promise<Fairness | null> => {
    const now = ctx.now()
    if (last !== null && now < last.at + MINUTE_MS) return last.figures
    const found = await readFairness(ctx.db)
    last = found && { at: now, figures: found }
    return found
  }

  register(calls.fairness, async () => answer({ fairness: await figures() }))

  app.get(`/api${FAIRNESS_CSV_PATH}`, async (_, reply) => {
    const found = await figures()
    return reply
      .code(found ? 200 : 404)
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="fairness-figures.csv"')
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-store')
      .send(found ? fairnessCsv(found) : '')
  })
}
