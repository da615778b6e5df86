import { type Money, moneyText } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { correctionHash } from '#server/payments/adjustments/adjustment-hash.ts'
import { insertCorrection } from '#server/payments/adjustments/adjustments.queries.ts'
import { hasUser } from '#server/users/accounts/users.queries.ts'

interface Asked {
  readonly userId: string
  /** A positive amount adds money, a negative one removes it. */
  readonly amount: Money
  readonly reason: string
  readonly staffId: string
  readonly actor: Actor
}

/** Requests an adjustment of a balance. No money moves before another staff member has approved it. */
export async function askCorrection(
  ctx: Ctx,
  { userId, amount, reason, staffId: askedBy, actor }: Asked,
): Promise<Result<{ readonly id: string }, 'not_found' | 'amount_invalid' | 'reason_needed'>> {
  if (amount === 0n) return refuse('amount_invalid')
  if (reason === '') return refuse('reason_needed')
  if (!(await hasUser(ctx.db, userId))) return refuse('not_found')
  const asked = { id: ctx.newId(), userId, amount, reason, askedBy }
  const contentHash = correctionHash(asked)
  await ctx.db.transaction().execute(async (tx) => {
    await insertCorrection(tx, { ...asked, contentHash, askedAt: ctx.now() })
    await recordAction(tx, ctx, actor, {
      target: asked.id,
      reason,
      outcome: 'done',
      after: { state: 'waiting', userId, amount: moneyText(amount), contentHash },
    })
  })
  return ok({ id: asked.id })
}
