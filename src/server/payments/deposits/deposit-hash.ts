import { contentHash } from '#server/audit/content-hash.ts'
import type { ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'

/** Hashes the content that a decision about a deposit applies to: user, quote, form fields and what arrived. */
export function depositHash(deposit: ReviewedDeposit): string {
  const { userId, trx, currency, amount, charge, total, rate, state, fields, files, quotedUntil } = deposit
  const arrivals = deposit.arrivals.map(({ id, amount: arrived, seenAt, rate: own, takesTwo, credited }) => ({
    id,
    arrived,
    seenAt,
    own,
    takesTwo,
    credited,
  }))
  return contentHash({
    userId,
    trx,
    currency,
    amount,
    charge,
    total,
    rate,
    state,
    quotedUntil,
    fields,
    files,
    arrivals,
  })
}
