import { BASE_CURRENCY, type Transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/context.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { closePending, lockCash, PAID, REJECTED, type Withdrawal } from '#server/withdrawals/withdrawals.queries.ts'

/** What becomes of a withdrawal that is pending, and which operator says so. */
export type Decision =
  | { readonly kind: 'paid'; readonly actor: Actor }
  | { readonly kind: 'rejected'; readonly words: string; readonly actor: Actor }
  | { readonly kind: 'cancelled' }

export type Decided = 'withdrawal_decided'

/**
 * Decides a withdrawal, once: pays out what is held for it, or gives it back. Whoever comes second is told that it was
 * decided. All endings share one step of the ledger, so that no two of them can ever both happen.
 */
export async function closeWithdrawal<W extends Withdrawal>(
  ctx: Ctx,
  withdrawal: W,
  decision: Decision,
): Promise<Result<W, Decided>> {
  const { userId, trx } = withdrawal
  const now = ctx.now()
  const words = decision.kind === 'rejected' ? decision.words : ''
  const closed = {
    status: decision.kind === 'paid' ? PAID : REJECTED,
    feedback: words,
    isCancelled: decision.kind === 'cancelled',
    decidedAt: now,
  }
  const isClosed = await ctx.db.transaction().execute(async (tx) => {
    // The balance first, as everywhere: two transactions lock in the same order.
    await lockCash(tx, userId)
    if (!(await closePending(tx, withdrawal, closed))) return false
    await postTransfers(tx, transfersOf(withdrawal, decision), now)
    if (decision.kind !== 'cancelled') {
      const change = { before: { status: withdrawal.status }, after: { status: closed.status } }
      await recordAction(tx, ctx, decision.actor, { target: trx, reason: words, outcome: 'done', ...change })
    }
    return true
  })
  if (!isClosed) return refuse('withdrawal_decided')
  ctx.announce({ kind: 'withdrawal-changed', userId, trx })
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
