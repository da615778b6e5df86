import type { Result } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import { decideDeposit, type DecideRefusal } from '#server/deposits/decide-deposit.ts'
import { REJECTED } from '#server/deposits/deposits.queries.ts'
import type { ReviewedDeposit } from '#server/deposits/operator.queries.ts'

/** Turns a deposit down, with words that its user reads. No money moves. */
export async function rejectDeposit(
  ctx: Ctx,
  { trx, words, actor }: { readonly trx: string; readonly words: string; readonly actor: Actor },
): Promise<Result<ReviewedDeposit, DecideRefusal>> {
  return decideDeposit(ctx, { trx, status: REJECTED, feedback: words, actor })
}
