import { type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Closed, type CloseRefusal, decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'

interface Rejection {
  readonly trx: string
  readonly words: string
  readonly actor: Actor
  readonly seenHash?: string
}

/** Rejects a withdrawal: the whole amount is returned, with a message to the user. */
export async function rejectWithdrawal(
  ctx: Ctx,
  { trx, words, actor, seenHash }: Rejection,
): Promise<Result<Closed, CloseRefusal | 'words_missing'>> {
  // A rejection needs a reason that the user reads.
  if (words.trim() === '') return refuse('words_missing')
  const withdrawal = await findForReview(ctx.db, ctx.vault, trx)
  if (!withdrawal) return refuse('withdrawal_unknown')
  return decideWithdrawal(ctx, withdrawal, { kind: 'rejected', words: words.trim(), actor, seenHash })
}
