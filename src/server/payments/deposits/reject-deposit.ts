import type { Result } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { type Decided, decideDeposit, type DecideRefusal } from '#server/payments/deposits/decide-deposit.ts'
import { REJECTED } from '#server/payments/deposits/deposits.queries.ts'

/** Rejects a deposit with a message to its user. No money moves. */
export async function rejectDeposit(
  ctx: Ctx,
  {
    trx,
    words,
    actor,
    seenHash,
  }: { readonly trx: string; readonly words: string; readonly actor: Actor; readonly seenHash?: string },
): Promise<Result<Decided, DecideRefusal>> {
  return decideDeposit(ctx, { trx, status: REJECTED, feedback: words, actor, seenHash })
}
