import { calls } from '#contract/calls.ts'
import { toIso } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { toBreakReply } from '#server/users/accounts/break-reply.ts'
import { changeLimits, endLimitChange, toWantedLimit } from '#server/users/limits/change-limits.ts'
import { insertAnswer } from '#server/users/limits/limit-prompt.queries.ts'
import { loadLimitsReply, toOutcomes } from '#server/users/limits/limits-reply.ts'
import { findRealityCheck } from '#server/users/limits/reality.queries.ts'
import { askToReturn, returnFromBreak, takeBreak } from '#server/users/limits/take-break.ts'
import type { SiteCare } from '#server/settings/site-care.ts'
import { requireConfirmation } from '#server/users/security/require-confirmation.ts'

interface LimitsParts {
  readonly ctx: Ctx
  readonly care: () => SiteCare
}

/** Registers the calls for the limits and breaks that users set for themselves. */
export function limitsRoutes(register: Register, { ctx, care }: LimitsParts): void {
  const limitsOf = (userId: string) => loadLimitsReply(ctx, userId, care())
  const confirmed = requireConfirmation(ctx)
  const breakReply = async (userId: string) => answer({ break: toBreakReply(await findBreak(ctx.db, userId)) })

  register(calls.limits, async ({ user }) => answer(await limitsOf(user.userId)))
  register(calls.changeLimits, async ({ user: { userId }, body: { changes } }) => {
    const changed = await changeLimits(ctx, userId, changes.map(toWantedLimit))
    if (!changed.ok) return changed
    const own = await limitsOf(userId)
    const keys = changes.map(({ key }) => key)
    return answer({ outcomes: toOutcomes(keys, own), limits: own })
  })
  register(calls.confirmLimitChange, async ({ user: { userId }, body: { id } }) => {
    const result = await endLimitChange(ctx, { userId, id, outcome: 'confirmed' })
    return result.ok ? answer({ limits: await limitsOf(userId) }) : result
  })
  register(calls.dropLimitChange, async ({ user: { userId }, body: { id } }) => {
    const result = await endLimitChange(ctx, { userId, id, outcome: 'dropped' })
    if (result.ok) return answer({ limits: await limitsOf(userId) })
    return result
  })
  register(calls.limitPrompt, async ({ user: { userId }, body: { answer: decision, changes = [] } }) => {
    const decided = await changeLimits(ctx, userId, changes.map(toWantedLimit), (tx) =>
      insertAnswer(tx, { userId, answer: decision, at: ctx.now() }),
    )
    return decided.ok ? answer({ limits: await limitsOf(userId) }) : decided
  })
  register(calls.realitySeen, async ({ user: { userId }, body: { id } }) => {
    const seen = /^\d{1,15}$/.test(id) ? Number(id) : null
    const check = await findRealityCheck(ctx.db, userId, { now: ctx.now(), seen })
    // On this event, every server reads the check again, and the dialog closes on the user's other devices.
    ctx.publish({ kind: 'limits-changed', userId })
    return answer({ due_at: check?.session ? toIso(check.session.dueAt) : null })
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
