import { type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import type { DecideRefusal } from '#server/withdrawals/approve-withdrawal.ts'
import { closeWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/withdrawals/find-withdrawals.queries.ts'

/** The operator does not pay it: the amount goes back in full, with the operator's words to the user. */
export async function rejectWithdrawal(
  ctx: Ctx,
  { trx, words, actor }: { readonly trx: string; readonly words: string; readonly actor: Actor },
): Promise<Result<ReviewedWithdrawal, DecideRefusal | 'words_missing'>> {
  // Nobody is refused their money without a word.
  if (words.trim() === '') return refuse('words_missing')
  const withdrawal = await findForReview(ctx.db, trx)
  if (!withdrawal) return refuse('withdrawal_unknown')
  return closeWithdrawal(ctx, withdrawal, { kind: 'rejected', words: words.trim(), actor })
}
