import { calls } from '#contract/calls.ts'
import { refuse } from '#core/result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { accountOf } from '#server/ledger/practice-accounts.queries.ts'
import { answer } from '#server/platform/http/answer.ts'
import { createRateLimiter } from '#server/platform/http/rate-limit.ts'
import { readerOf } from '#server/platform/http/signed-in.ts'
import type { Register } from '#server/platform/http/register-call.ts'
import { READ_LIMITS } from '#server/platform/limits/limits.ts'
import { createOwnFigures } from '#server/proof/figures/own-figures.ts'
import type { Symbols } from '#server/proof/statement/statement-rows.ts'

/** Registers the figures of a user's own orders. */
export function figuresRoutes(register: Register, { ctx, catalogue }: { ctx: Ctx; catalogue: Symbols }): void {
  const figuresOf = createOwnFigures(ctx, catalogue)
  const take = createRateLimiter(READ_LIMITS.figures)
  register(calls.figures, async ({ user, query }) => {
    const seconds = take(readerOf(user), ctx.now())
    if (seconds > 0) return refuse('rate_limited', { params: { seconds } })
    const account = await accountOf(ctx.db, user.userId, query.account)
    if (!account.ok) return account
    const counted = await figuresOf(account.value, query)
    return counted.ok ? answer({ figures: counted.value }) : counted
  })
}
