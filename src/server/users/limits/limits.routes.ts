import { calls } from '#contract/calls.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { changeLimits, endLimitChange } from '#server/users/limits/change-limits.ts'
import { loadLimitsReply, toOutcomes } from '#server/users/limits/limits-reply.ts'
import { askToReturn, returnFromBreak, takeBreak } from '#server/users/limits/take-break.ts'
import { requireConfirmation } from '#server/users/security/require-confirmation.ts'

/** Registers the calls for the limits and breaks that users set for themselves. */
export function limitsRoutes(register: Register, ctx: Ctx): void {
  const confirmed = requireConfirmation(ctx)
  const breakReply = async (userId: string) => answer({ break: toBreakReply(await findBreak(ctx.db, userId)) })

  register(calls.limits, async ({ user }) => answer(await loadLimitsReply(ctx, user.userId)))
  register(calls.changeLimits, async ({ user: { userId }, body: { changes } }) => {
    const changed = await changeLimits(ctx, userId, changes)
    if (!changed.ok) return changed
    const own = await loadLimitsReply(ctx, userId)
    const keys = changes.map(({ key }) => key)
    return answer({ outcomes: toOutcomes(keys, own), limits: own })
  })
  register(calls.confirmLimitChange, async ({ user: { userId }, body: { id } }) => {
    const result = await endLimitChange(ctx, { userId, id, outcome: 'confirmed' })
    return result.ok ? answer({ limits: await loadLimitsReply(ctx, userId) }) : result
  })
  register(calls.dropLimitChange, async ({ user: { userId }, body: { id } }) => {
    const result = await endLimitChange(ctx, { userId, id, outcome: 'dropped' })
    if (result.ok) return answer({ limits: await loadLimitsReply(ctx, userId) })
    return result
  })

  register(calls.takeTimeOut, async ({ user: { userId }, body }) => {
    const result = await takeBreak(ctx, userId, { kind: 'time_out', length: body.days })
    return result.ok ? breakReply(userId) : result
  })
  register(
    calls.takeExclusion,
    confirmed(async ({ user: { userId }, body }) => {
      const result = await takeBreak(ctx, userId, { kind: 'exclusion', length: body.months })
      return result.ok ? breakReply(userId) : result
    }),
  )
  register(
    calls.askToReturn,
    confirmed(async ({ user: { userId } }) => {
      const result = await askToReturn(ctx, userId)
      return result.ok ? breakReply(userId) : result
    }),
  )
  register(
    calls.confirmReturn,
    confirmed(async ({ user: { userId } }) => {
      const done = await returnFromBreak(ctx, userId)
      return done.ok ? breakReply(userId) : done
    }),
  )
}
