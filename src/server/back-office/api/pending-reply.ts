import type { Pending } from '#contract/back-office/changes.ts'
import { toIso } from '#core/time/instant.ts'
import type { RequestedChange } from '#server/audit/changes/ask-change.ts'

/** The reply of an edit: the change that waits, if there is one. */
export function toPendingReply(requested: RequestedChange | undefined | null): Pending {
  return requested
    ? { id: requested.id, applies_at: requested.appliesAt === null ? null : toIso(requested.appliesAt) }
    : null
}
