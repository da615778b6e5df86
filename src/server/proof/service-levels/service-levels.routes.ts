import { calls } from '#contract/calls.ts'
import type { ProofServiceLevels } from '#contract/service-levels.ts'
import { type Instant, MINUTE_MS } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countServiceLevels } from '#server/proof/service-levels/count-service-levels.queries.ts'

/** Registers the public times of deposits and withdrawals. */
export function serviceLevelsRoutes(register: Register, ctx: Ctx): void {
  let last: { readonly at: Instant; readonly levels: ProofServiceLevels } | null = null
  register(calls.proofServiceLevels, async () => {
    const now = ctx.now()
    // Counted at most once a minute, for any number of calls.
    if (last === null || now >= last.at + MINUTE_MS) last = { at: now, levels: await countServiceLevels(ctx.db, now) }
    return answer(last.levels)
  })
}
