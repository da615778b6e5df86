import { contentHash } from '#server/audit/content-hash.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'

/** What an approval of a withdrawal is bound to: whose it is, how much, what is paid out and where to. */
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
