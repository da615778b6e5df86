import { contentHash } from '#server/audit/content-hash.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/**
 * Hashes the content that an approval of a withdrawal applies to: user, amounts, rate and payment details. Once the
 * withdrawal is approved, the hash also contains the state and the payer.
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
    // Included only for requests without a PIN, so that stored approvals of all other withdrawals stay valid.
    ...(isWithoutPin(withdrawal) && { confirmedBy }),
  })
}

/** Returns whether the request was confirmed without a PIN: by a code, or not at all. */
function isWithoutPin({ confirmedBy }: Withdrawal): boolean {
  return confirmedBy === 'code' || confirmedBy === 'none'
}
