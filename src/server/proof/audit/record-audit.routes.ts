import { calls } from '#contract/calls.ts'
import { DAY_MS, later, MINUTE_MS, toIso } from '#core/time/instant.ts'
import { shareReply } from '#server/platform/concurrency/shared-reply.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { countAudits } from '#server/proof/audit/record-audit.queries.ts'

const SHOWN_DAYS = 90

/** `GET /api/proof/audit`: decided prices that were compared with the records of their sources. Needs no account. */
export function recordAuditRoutes(register: Register, ctx: Ctx): void {
  const counts = shareReply({ now: () => ctx.now(), ms: MINUTE_MS }, async () => {
    const since = later(ctx.now(), -SHOWN_DAYS * DAY_MS)
    const { chosen, equal, different } = await countAudits(ctx.db, since)
    return { since: toIso(since), chosen, compared: equal + different, equal, different }
  })
  register(calls.proofAudit, async () => answer({ audit: await counts('') }))
}
