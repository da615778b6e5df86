import { contentHash } from '#server/audit/content-hash.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** Hashes the content that an approval of a withdrawal applies to: user, amounts, payout and destination. */
export function withdrawalHash(withdrawal: Withdrawal): string {
  const { userId, trx, methodId, amount, percentCharge, fixedCharge, rate, paidOut, currency, details, reviewVersion } =
    withdrawal
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
  })
}
