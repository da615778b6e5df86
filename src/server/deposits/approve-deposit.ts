import type { Result } from '#core/result.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import { creditDeposit } from '#server/deposits/credit-deposit.ts'
import { decideDeposit, type DecideRefusal } from '#server/deposits/decide-deposit.ts'
import { CREDITED } from '#server/deposits/deposits.queries.ts'
import type { ReviewedDeposit } from '#server/deposits/operator.queries.ts'

/** Credits what a deposit was quoted when it was asked for, once; nobody can name another amount. */
export async function approveDeposit(
  ctx: Ctx,
  { trx, remark = '', actor }: { readonly trx: string; readonly remark?: string | undefined; readonly actor: Actor },
): Promise<Result<ReviewedDeposit, DecideRefusal>> {
  const approved = await decideDeposit(ctx, {
    trx,
    status: CREDITED,
    feedback: remark,
    actor,
    alongside: (tx, deposit) => creditDeposit(tx, deposit, ctx.now()),
  })
  if (approved.ok) ctx.announce({ kind: 'balance-changed', userId: approved.value.userId })
  return approved
}
