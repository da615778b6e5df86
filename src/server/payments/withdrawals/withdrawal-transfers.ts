import { BASE_CURRENCY, type Transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** The possible outcomes of a pending withdrawal. */
export type WithdrawalOutcome = 'paid' | 'rejected' | 'cancelled'

/**
 * Builds the transfers of an outcome. All outcomes share one ledger step, so that at most one of them can be posted.
 */
export function closingTransfers({ userId, id, amount, charge }: Withdrawal, ending: WithdrawalOutcome): Transfer[] {
  const common = { userId, ref: id, from: 'withdrawing', currency: BASE_CURRENCY } as const
  if (ending !== 'paid') return [{ ...common, step: 'close', kind: `withdrawal_${ending}`, to: 'cash', amount }]
  const payout = { ...common, step: 'close', kind: 'withdrawal_paid', to: 'house:withdrawals' } as const
  const fee = { ...common, step: 'fee', kind: 'withdrawal_fee', to: 'house:fees', amount: charge } as const
  return [{ ...payout, amount: money(amount - charge) }, ...(charge > 0n ? [fee] : [])]
}
