import { contentHash } from '#server/audit/content-hash.ts'
import type { Correction } from '#server/payments/adjustments/adjustments.queries.ts'

/** Hashes the content that an approval of an adjustment applies to: requester, amount, user and reason. */
export function correctionHash(
  correction: Pick<Correction, 'id' | 'userId' | 'amount' | 'reason' | 'askedBy'>,
): string {
  const { id, userId, amount, reason, askedBy } = correction
  return contentHash({ id, userId, amount, reason, askedBy })
}
