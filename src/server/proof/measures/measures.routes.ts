import { calls } from '#contract/calls.ts'
import type { ProofMeasures } from '#contract/measures.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countMeasures } from '#server/proof/measures/count-measures.queries.ts'

/** Registers the public counts of measures against users. */
export function proofMeasuresRoutes(register: Register, ctx: Ctx): void {
  let last: { readonly at: Instant; readonly figures: ProofMeasures } | null = null
  register(calls.proofMeasures, async () => {
    const now = ctx.now()
    // Counted at most once a minute, for any number of calls.
    if (last === null || now >= last.at + MINUTE_MS) last = { at: now, figures: await countMeasures(ctx.db, now) }
    return answer(last.figures)
  })
}
