import { type Transfer, transfer } from '#core/ledger/transfer.ts'
import { money } from '#core/money/money.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** The possible outcomes of a pending withdrawal. */
export type WithdrawalOutcome = 'paid' | 'failed' | 'rejected' | 'cancelled'

/**
 * Builds the transfers of an outcome. All outcomes share one ledger step, so that at most one of them can be posted.
 */
export function closingTransfers({ userId, id, amount, charge }: Withdrawal, ending: WithdrawalOutcome): Transfer[] {
  const own = { userId, ref: id }
  if (ending !== 'paid') return [transfer(`withdrawal_${ending}`, { ...own, amount })]
  const paid = transfer('withdrawal_paid', { ...own, amount: money(amount - charge) })
  return charge > 0n ? [paid, transfer('withdrawal_fee', { ...own, amount: charge })] : [paid]
}

/** Builds the transfers of a payment that came back: the user gets the whole amount that was taken. */
export function returnTransfers({ userId, id, amount, charge }: Withdrawal): Transfer[] {
  const own = { userId, ref: id }
  const returned = transfer('withdrawal_returned', { ...own, amount: money(amount - charge) })
  return charge > 0n ? [returned, transfer('withdrawal_fee_returned', { ...own, amount: charge })] : [returned]
}
