import { contentHash } from '#server/audit/content-hash.ts'
import type { Adjustment } from '#server/payments/adjustments/adjustments.queries.ts'

/**
 * Hashes the content that an approval of an adjustment applies to: user, amount, kind, linked record, both reasons and
 * requester.
 */
export function adjustmentHash(
  adjustment: Pick<Adjustment, 'id' | 'userId' | 'kind' | 'link' | 'message' | 'amount' | 'reason' | 'requestedBy'>,
): string {
  const { id, userId, kind, link, message, amount, reason, requestedBy } = adjustment
  return contentHash({ id, userId, kind, link, message, amount, reason, askedBy: requestedBy })
}
