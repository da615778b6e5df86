import { contentHash } from '#server/audit/content-hash.ts'
import type { ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'

/** What an approval of a deposit is bound to: whose it is, what was quoted and what was filled in. */
export function depositHash(deposit: ReviewedDeposit): string {
  const { userId, trx, currency, amount, charge, total, rate, credited, fields, files } = deposit
  return contentHash({ userId, trx, currency, amount, charge, total, rate, credited, fields, files })
}
