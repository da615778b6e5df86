import { type Result, refuse } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Closed, type CloseRefusal, decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { findForReview } from '#server/payments/withdrawals/find-withdrawals.queries.ts'

export type RejectRefusal = CloseRefusal | 'words_missing'

interface Rejection {
  readonly trx: string
  readonly words: string
  readonly reasonCode: RejectionCode
  /** Days until a user whose leave is refused can ask again. */
  readonly againDays?: number | null
  readonly actor: Actor
  readonly seenHash?: string
  readonly mode: 'demo' | 'live'
}

/**
 * Rejects a withdrawal: the whole amount is returned, with a reason and a message to the user. A second rejection
 * within 30 days takes two people, and so does each refusal of a user who leaves.
 */
export async function rejectWithdrawal(
  ctx: Ctx,
  { trx, words, againDays = null, ...rejection }: Rejection,
): Promise<Result<Closed, RejectRefusal>> {
  // A rejection needs a reason that the user reads.
  if (words.trim() === '') return refuse('words_missing')
  const withdrawal = await findForReview(ctx.db, ctx.vault, trx)
  if (!withdrawal) return refuse('withdrawal_unknown')
  return await decideWithdrawal(ctx, withdrawal, { ...rejection, kind: 'rejected', againDays, words: words.trim() })
}
