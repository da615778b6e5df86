import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { shareReply } from '#server/platform/concurrency/shared-reply.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countMeasures } from '#server/proof/measures/count-measures.queries.ts'

/** Registers the public counts of measures against users. */
export function proofMeasuresRoutes(register: Register, ctx: Ctx): void {
  const counts = shareReply({ now: () => ctx.now(), ms: MINUTE_MS }, () => countMeasures(ctx.db, ctx.now()))
  register(calls.proofMeasures, async () => answer(await counts('')))
}
