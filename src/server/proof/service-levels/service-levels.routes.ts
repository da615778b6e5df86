import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { shareReply } from '#server/platform/concurrency/shared-reply.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countServiceLevels } from '#server/proof/service-levels/count-service-levels.queries.ts'

/** Registers the public times of deposits and withdrawals. */
export function serviceLevelsRoutes(register: Register, ctx: Ctx): void {
  const levels = shareReply({ now: () => ctx.now(), ms: MINUTE_MS }, () => countServiceLevels(ctx.db, ctx.now()))
  register(calls.proofServiceLevels, async () => answer(await levels('')))
}
