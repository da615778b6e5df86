import { BASE_CURRENCY, type Transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import type { Ctx } from '#server/context.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { closePending, lockCash, PAID, REJECTED, type Withdrawal } from '#server/withdrawals/withdrawals.queries.ts'

/** What becomes of a withdrawal that is pending. */
export type Decision =
  | { readonly kind: 'paid' }
  | { readonly kind: 'rejected'; readonly words: string }
  | { readonly kind: 'cancelled' }

/**
 * Decides a withdrawal, once: pays out what is held for it, or gives it back. Whoever comes second is told that it was
 * decided. All endings share one step of the ledger, so that no two of them can ever both happen.
 */
export async function closeWithdrawal(
  ctx: Ctx,
  withdrawal: Withdrawal,
  decision: Decision,
): Promise<Result<Withdrawal, 'withdrawal_decided'>> {
  const { userId } = withdrawal
  const now = ctx.now()
  const closed = {
    status: decision.kind === 'paid' ? PAID : REJECTED,
    feedback: decision.kind === 'rejected' ? decision.words : '',
    isCancelled: decision.kind === 'cancelled',
    decidedAt: now,
  }
  const isClosed = await ctx.db.transaction().execute(async (tx) => {
    // The balance first, as everywhere: two transactions lock in the same order.
    await lockCash(tx, userId)
    if (!(await closePending(tx, withdrawal, closed))) return false
    await postTransfers(tx, transfersOf(withdrawal, decision), now)
    return true
  })
  if (!isClosed) return refuse('withdrawal_decided')
  ctx.announce({ kind: 'balance-changed', userId })
  return ok({ ...withdrawal, ...closed })
}

function transfersOf({ userId, id, amount, charge }: Withdrawal, { kind }: Decision): Transfer[] {
  const common = { userId, ref: id, from: 'withdrawing', currency: BASE_CURRENCY } as const
  if (kind !== 'paid') return [{ ...common, step: 'close', kind: `withdrawal_${kind}`, to: 'cash', amount }]
  const payout = { ...common, step: 'close', kind: 'withdrawal_paid', to: 'house:withdrawals' } as const
  const fee = { ...common, step: 'fee', kind: 'withdrawal_fee', to: 'house:fees', amount: charge } as const
  return [{ ...payout, amount: money(amount - charge) }, ...(charge > 0n ? [fee] : [])]
}
