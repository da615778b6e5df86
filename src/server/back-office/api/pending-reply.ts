import type { Pending } from '#contract/back-office/changes.ts'
import { toIso } from '#core/time/instant.ts'
import type { RequestedChange } from '#server/audit/changes/ask-change.ts'

/**
 * Converts the change that an edit requested to the reply of the edit. The reply is null when the edit applies at once.
 */
export function toPendingReply(requested: RequestedChange | undefined | null): Pending {
  return requested
    ? { id: requested.id, applies_at: requested.appliesAt === null ? null : toIso(requested.appliesAt) }
    : null
}
