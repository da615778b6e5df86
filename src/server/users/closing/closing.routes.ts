import { calls } from '#contract/calls.ts'
import type { ClosingOut } from '#contract/closing.ts'
import { moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { findClosing } from '#server/ledger/closed-account.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { closeAccount, keepAccount } from '#server/users/closing/close-account.ts'
import { readObstacles } from '#server/users/closing/closing.queries.ts'
import { requireConfirmation } from '#server/users/security/require-confirmation.ts'

interface ClosingParts {
  readonly ctx: Ctx
  /** The number of years for which the operator keeps identity and payments of an erased account. */
  readonly recordYears: () => number
}

/** Registers the calls by which users close their account. */
export function closingRoutes(register: Register, { ctx, recordYears }: ClosingParts): void {
  const confirmed = requireConfirmation(ctx)
  const reply = async (userId: string): Promise<ClosingOut> => {
    const closing = await findClosing(ctx.db, userId)
    const own = await findBreak(ctx.db, userId)
    const { openOrders, cash, ...counts } = await readObstacles(ctx.db, userId)
    return {
      closing: closing && { requested_at: toIso(closing.requestedAt), erases_at: toIso(closing.erasesAt) },
      obstacles: { ...counts, open_orders: openOrders, cash: moneyNumber(cash) },
      excluded_until: own?.kind === 'exclusion' && !own.isOver ? toIso(own.until) : null,
      kept_years: recordYears(),
    }
  }

  register(calls.closing, async ({ user: { userId } }) => answer(await reply(userId)))
  register(
    calls.closeAccount,
    confirmed(async ({ user: { userId }, body }) => {
      await closeAccount(ctx, userId, body.reason ?? '')
      return answer(await reply(userId))
    }),
  )
  register(calls.cancelClosing, async ({ user: { userId } }) => {
    const result = await keepAccount(ctx, userId)
    return result.ok ? answer(await reply(userId)) : result
  })
}
