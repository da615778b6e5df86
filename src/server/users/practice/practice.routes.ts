import { calls } from '#contract/calls.ts'
import type { PracticeOut } from '#contract/practice.ts'
import { PRACTICE_RESET_MS } from '#core/accounts/practice.ts'
import { moneyNumber, ZERO } from '#core/money/money.ts'
import { refuse } from '#core/result.ts'
import { later, toIso } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { openPractice, resetPractice } from '#server/users/practice/change-practice.ts'
import { findPractice } from '#server/users/practice/practice.queries.ts'

interface PracticeParts {
  readonly ctx: Ctx
  readonly mode: 'demo' | 'live'
}

/** Registers the calls about a user's practice account. In a demo everything is practice, so there is none. */
export function practiceRoutes(register: Register, { ctx, mode }: PracticeParts): void {
  const reply = async (userId: string): Promise<PracticeOut> => {
    const opened = await findPractice(ctx.db, userId)
    const { balance = ZERO, openOrders = 0, granted = ZERO, resetAt = null } = opened ?? {}
    const mayResetAt = resetAt && later(resetAt, PRACTICE_RESET_MS)
    return {
      exists: opened !== null,
      balance: moneyNumber(balance),
      open_orders: openOrders,
      granted: moneyNumber(granted),
      reset_at: resetAt && toIso(resetAt),
      may_reset_at: mayResetAt !== null && mayResetAt > ctx.now() ? toIso(mayResetAt) : null,
    }
  }

  register(calls.practice, async ({ user: { userId } }) =>
    mode === 'demo' ? refuse('practice_none') : answer(await reply(userId)),
  )
  register(calls.openPractice, async ({ user: { userId } }) => {
    if (mode === 'demo') return refuse('practice_none')
    await openPractice(ctx, userId)
    return answer(await reply(userId))
  })
  register(calls.resetPractice, async ({ user: { userId }, body }) => {
    if (mode === 'demo') return refuse('practice_none')
    const reset = await resetPractice(ctx, userId, body.client_request_id ?? null)
    return reset.ok ? answer(await reply(userId)) : reset
  })
}
