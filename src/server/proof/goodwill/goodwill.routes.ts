import { calls } from '#contract/calls.ts'
import { MINUTE_MS } from '#core/time/instant.ts'
import { shareReply } from '#server/platform/concurrency/shared-reply.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countGoodwill } from '#server/proof/goodwill/goodwill.queries.ts'

/** Registers the public number of payments out of goodwill. */
export function goodwillRoutes(register: Register, ctx: Ctx): void {
  const counts = shareReply({ now: () => ctx.now(), ms: MINUTE_MS }, () => countGoodwill(ctx.db, ctx.now()))
  register(calls.proofGoodwill, async () => answer(await counts('')))
}
