import { type Result, refuse } from '#core/result.ts'
import type { Ctx } from '#server/context.ts'
import { closeWithdrawal } from '#server/withdrawals/close-withdrawal.ts'
import { findByTrx, type Withdrawal } from '#server/withdrawals/withdrawals.queries.ts'

/** The operator has paid it: what was held leaves the user's accounts, the charges go to the fees. */
export async function approveWithdrawal(
  ctx: Ctx,
  trx: string,
): Promise<Result<Withdrawal, 'not_found' | 'withdrawal_decided'>> {
  const withdrawal = await findByTrx(ctx.db, trx)
  return withdrawal ? closeWithdrawal(ctx, withdrawal, { kind: 'paid' }) : refuse('not_found')
}
