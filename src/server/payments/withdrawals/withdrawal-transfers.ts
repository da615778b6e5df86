import { type Transfer, transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** The possible outcomes of a pending withdrawal. */
export type WithdrawalOutcome = 'paid' | 'rejected' | 'cancelled'

/**
 * Builds the transfers of an outcome. All outcomes share one ledger step, so that at most one of them can be posted.
 */
export function closingTransfers({ userId, id, amount, charge }: Withdrawal, ending: WithdrawalOutcome): Transfer[] {
  const own = { userId, ref: id }
  if (ending !== 'paid') return [transfer(`withdrawal_${ending}`, { ...own, amount })]
  const paid = transfer('withdrawal_paid', { ...own, amount: money(amount - charge) })
  return charge > 0n ? [paid, transfer('withdrawal_fee', { ...own, amount: charge })] : [paid]
}
