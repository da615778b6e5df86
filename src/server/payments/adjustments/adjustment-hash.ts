import { contentHash } from '#server/audit/content-hash.ts'
import type { Correction } from '#server/payments/adjustments/adjustments.queries.ts'

/** What an approval of a correction is bound to: who asked for how much, for whom and why. */
export function correctionHash(
  correction: Pick<Correction, 'id' | 'userId' | 'amount' | 'reason' | 'askedBy'>,
): string {
  const { id, userId, amount, reason, askedBy } = correction
  return contentHash({ id, userId, amount, reason, askedBy })
}
