import type { ChangeRow } from '#contract/back-office/changes.ts'
import type { ChangeKind } from '#core/staff/change-kinds.ts'
import { toIso } from '#core/time/instant.ts'
import type { Approvers } from '#server/audit/approvers.queries.ts'
import { pairOf } from '#server/audit/check-dual-approval.ts'
import { isSingleOperator } from '#core/staff/independence.ts'
import { settingNames } from '#server/back-office/audit/subject-name.ts'
import { changeLines } from '#server/back-office/changes/change-lines.ts'
import type { Change } from '#server/audit/changes/changes.queries.ts'

/**
 * Whether a change is of settings. Its subject is only the name of their group, so staff see the names of the settings
 * instead.
 */
function isOfSettings(kind: ChangeKind): boolean {
  return kind === 'facts' || kind === 'limits' || kind === 'countries'
}

/** Converts a change to a row for one staff member. `may_second` and `may_cancel` depend on this staff member. */
export function toChangeRow(
  change: Change,
  gateways: ReadonlyMap<string, string>,
  {
    approvers,
    staffId,
    isOwner,
    now,
  }: { readonly approvers: Approvers; readonly staffId: string; readonly isOwner: boolean; readonly now: number },
): ChangeRow {
  const { appliesAt, closedAt, state } = change
  const isOpen = state === 'asked' || state === 'waiting'
  const first = { staffId: change.requestedBy, at: change.requestedAt }
  return {
    id: change.id,
    kind: change.kind,
    subject: change.subject,
    subject_name: isOfSettings(change.kind)
      ? settingNames(Object.keys(change.after))
      : (gateways.get(change.subject) ?? change.subject),
    state,
    lines: changeLines(change),
    reason: change.reason,
    content_hash: change.contentHash,
    asked_by: change.requestedByName,
    asked_at: toIso(change.requestedAt),
    second_by: change.secondByName,
    applies_at: appliesAt === null ? null : toIso(appliesAt),
    ended_by: change.closedBy,
    ended_at: closedAt === null ? null : toIso(closedAt),
    may_second:
      state === 'asked' && (isSingleOperator(approvers.byId.size) || pairOf(approvers, { first, staffId, now }).ok),
    may_cancel: isOpen && (isOwner || change.requestedBy === staffId),
  }
}
