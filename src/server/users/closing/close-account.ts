import { ok, refuse, type Result } from '#core/result.ts'
import { minuteText } from '#core/time/instant.ts'
import { findBreak } from '#server/ledger/breaks.queries.ts'
import { findClosing } from '#server/ledger/closed-account.queries.ts'
import { isCheckViolation } from '#server/platform/database/check-violation.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { cancelClosing, findAccountEnd, insertClosing } from '#server/users/closing/closing.queries.ts'
import { lockLimits } from '#server/users/limits/limits.queries.ts'
import { notifyBreak } from '#server/users/limits/notify-break.ts'

/**
 * Starts the closing of an account, which now accepts no orders and deposits. If the account is closing already,
 * nothing changes.
 */
export async function closeAccount(ctx: Ctx, userId: string, reason: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lockLimits(tx, userId)
    if ((await findAccountEnd(tx, userId)) === null) await insertClosing(tx, { userId, id: ctx.newId(), reason })
  })
  notifyBreak(ctx, userId)
}

/** Cancels the closing of an account at its user's request. The database decides whether the request is in time. */
export async function keepAccount(ctx: Ctx, userId: string): Promise<Result<undefined, 'closing_final' | 'excluded'>> {
  try {
    const done = await ctx.db
      .transaction()
      .execute(async (tx): Promise<Result<undefined, 'closing_final' | 'excluded'>> => {
        await lockLimits(tx, userId)
        const closing = await findClosing(tx, userId)
        if (closing === null) return (await findAccountEnd(tx, userId)) === null ? ok() : refuse('closing_final')
        const own = await findBreak(tx, userId)
        if (own?.kind === 'exclusion' && !own.isOver) {
          return refuse('excluded', { params: { until: minuteText(own.until) } })
        }
        await cancelClosing(tx, userId, closing.id)
        return ok()
      })
    if (done.ok) notifyBreak(ctx, userId)
    return done
  } catch (error) {
    if (isCheckViolation(error)) return refuse('closing_final')
    throw error
  }
}
