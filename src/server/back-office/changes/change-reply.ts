import type { ChangeRow, Pending } from '#contract/back-office/changes.ts'
import { toIso } from '#core/time/instant.ts'
import type { Approvers } from '#server/audit/approvals/approvers.queries.ts'
import { pairOf } from '#server/audit/approvals/check-dual-approval.ts'
import { isSingleOperator } from '#core/staff/independence.ts'
import type { Asked } from '#server/audit/changes/ask-change.ts'
import type { Change } from '#server/audit/changes/changes.queries.ts'

/** The reply of an edit: the change that waits, if there is one. */
export function toPendingReply(asked: Asked | undefined | null): Pending {
  return asked ? { id: asked.id, applies_at: asked.appliesAt === null ? null : toIso(asked.appliesAt) } : null
}

/** A change as the staff member who looks at it sees it. */
export function toChangeRow(
  change: Change,
  {
    approvers,
    staffId,
    isOwner,
    now,
  }: { readonly approvers: Approvers; readonly staffId: string; readonly isOwner: boolean; readonly now: number },
): ChangeRow {
  const { before, after, appliesAt, endedAt, state } = change
  const isOpen = state === 'asked' || state === 'waiting'
  const first = { staffId: change.askedBy, at: change.askedAt }
  return {
    id: change.id,
    kind: change.kind,
    subject: change.subject,
    state,
    lines: Object.keys(after).map((field) => ({ field, before: text(before[field]), after: text(after[field]) })),
    reason: change.reason,
    content_hash: change.contentHash,
    asked_by: change.askedByName,
    asked_at: toIso(change.askedAt),
    second_by: change.secondByName,
    applies_at: appliesAt === null ? null : toIso(appliesAt),
    ended_by: change.endedBy,
    ended_at: endedAt === null ? null : toIso(endedAt),
    may_second:
      state === 'asked' && (isSingleOperator(approvers.byId.size) || pairOf(approvers, { first, staffId, now }).ok),
    may_cancel: isOpen && (isOwner || change.askedBy === staffId),
  }
}

function text(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
