import type { Money } from '#core/money/money.ts'
import { type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Closed, type CloseRefusal, closeWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'

interface Approval {
  readonly trx: string
  readonly words?: string
  readonly actor: Actor
  readonly seenHash?: string
  /** More than this takes two people. */
  readonly twoPeopleAbove: Money
}

/**
 * The operator has paid it: what was held leaves the user's accounts, the charges go to the fees. Above the limit the
 * first approval only says so, and a second person's pays it.
 */
export async function approveWithdrawal(
  ctx: Ctx,
  { trx, words = '', actor, seenHash, twoPeopleAbove }: Approval,
): Promise<Result<Closed, CloseRefusal>> {
  const withdrawal = await findForReview(ctx.db, ctx.vault, trx)
  if (!withdrawal) return refuse('withdrawal_unknown')
  const needsTwo = ({ amount }: { readonly amount: Money }) => amount > twoPeopleAbove
  return closeWithdrawal(ctx, withdrawal, { kind: 'paid', words, actor, seenHash, needsTwo })
}
