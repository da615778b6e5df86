import { contentHash } from '#server/audit/content-hash.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/**
 * Hashes the content that an approval of a withdrawal applies to: user, amounts, payout and destination, and from the
 * approval on also its state and who pays it.
 */
export function withdrawalHash(withdrawal: Withdrawal): string {
  const { userId, trx, methodId, amount, percentCharge, fixedCharge, rate, paidOut, currency, details, reviewVersion } =
    withdrawal
  const { state, payingBy, confirmedBy } = withdrawal
  return contentHash({
    userId,
    trx,
    methodId,
    amount,
    percentCharge,
    fixedCharge,
    rate,
    paidOut,
    currency,
    details,
    reviewVersion,
    ...(state !== 'requested' && { state, payingBy }),
    // Only then, so that earlier approvals of other withdrawals stand.
    ...(isWithoutPin(withdrawal) && { confirmedBy }),
  })
}

/** Whether the request has no PIN, although a user can have one. */
function isWithoutPin({ confirmedBy }: Withdrawal): boolean {
  return confirmedBy === 'code' || confirmedBy === 'none'
}
