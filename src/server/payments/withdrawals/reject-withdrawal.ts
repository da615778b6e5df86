import { type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Closed, type CloseRefusal, closeWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'

interface Rejection {
  readonly trx: string
  readonly words: string
  readonly actor: Actor
  readonly seenHash?: string
}

/** The operator does not pay it: the amount goes back in full, with the operator's words to the user. */
export async function rejectWithdrawal(
  ctx: Ctx,
  { trx, words, actor, seenHash }: Rejection,
): Promise<Result<Closed, CloseRefusal | 'words_missing'>> {
  // Nobody is refused their money without a word.
  if (words.trim() === '') return refuse('words_missing')
  const withdrawal = await findForReview(ctx.db, ctx.vault, trx)
  if (!withdrawal) return refuse('withdrawal_unknown')
  return closeWithdrawal(ctx, withdrawal, { kind: 'rejected', words: words.trim(), actor, seenHash })
}
