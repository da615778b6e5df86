import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import type { Liabilities } from '#server/proof/liabilities/create-liabilities.ts'
import { listDays } from '#server/proof/liabilities/liabilities.queries.ts'
import { findOwnProof } from '#server/proof/liabilities/own-proof.ts'
import { PROOF_RETENTION_DAYS } from '#server/proof/liabilities/take-snapshot.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface LiabilitiesParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly liabilities: Liabilities
}

export function liabilitiesRoutes(register: Register, { ctx, settings, liabilities }: LiabilitiesParts): void {
  register(calls.liabilities, async ({ query }) => {
    const { days, total } = await listDays(ctx.db, sliceOf(query))
    const next = { next_at: toIso(liabilities.nextAt()), kept_days: PROOF_RETENTION_DAYS }
    const { fundsStatement: statement } = settings.current
    return answer({ days, since: liabilities.since, ...next, statement }, metaOf(query, total))
  })
  register(calls.ownLiability, async ({ user, query: { day } }) => {
    const proof = await findOwnProof(ctx.db, user.userId, day)
    if (proof === null && day !== undefined) return refuse('proof_unknown')
    return answer({ proof, next_at: toIso(liabilities.nextAt()) })
  })
}
