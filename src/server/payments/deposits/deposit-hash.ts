import { contentHash } from '#server/audit/content-hash.ts'
import type { ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'

/** Hashes the content that an approval of a deposit applies to: user, quote and form fields. */
export function depositHash(deposit: ReviewedDeposit): string {
  const { userId, trx, currency, amount, charge, total, rate, credited, fields, files } = deposit
  return contentHash({ userId, trx, currency, amount, charge, total, rate, credited, fields, files })
}
