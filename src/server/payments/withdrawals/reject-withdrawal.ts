import { type Result, refuse } from '#core/result.ts'
import type { RejectionCode } from '#core/wallet/withdrawal-deadline.ts'
import type { ByStaff, Stepped } from '#server/payments/withdrawals/change-withdrawal.ts'
import { type CloseRefusal, decideWithdrawal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import type { Ctx } from '#server/platform/context/context.ts'

export type RejectRefusal = CloseRefusal | 'words_missing'

interface Rejection extends ByStaff {
  readonly trx: string
  readonly words: string
  readonly reasonCode: RejectionCode
  /** If the withdrawal belongs to the leave of a blocked user: the days until the user can request a leave again. */
  readonly againDays?: number | null
  readonly mode: 'demo' | 'live'
}

/**
 * Rejects a withdrawal. The whole amount is returned, with a reason and a message to the user. A second rejection
 * within 30 days needs two approvers, and so does each rejection of a blocked user's leave.
 */
export async function rejectWithdrawal(
  ctx: Ctx,
  { trx, words, againDays = null, ...rejection }: Rejection,
): Promise<Result<Stepped, RejectRefusal>> {
  // A rejection needs a reason that the user reads.
  if (words.trim() === '') return refuse('words_missing')
  return await decideWithdrawal(ctx, { trx }, { ...rejection, kind: 'rejected', againDays, words: words.trim() })
}
