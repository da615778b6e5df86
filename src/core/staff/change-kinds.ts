import { isSingleOperator, waitMs } from '#core/staff/independence.ts'

/**
 * Changes that need two people and then wait. `hours` is the time between the second approval and the change.
 * `isPublic`: each change is an entry of the register. The register only counts other changes.
 */
export const CHANGE_KINDS = {
  gateway: { hours: 24, isPublic: true },
  limits: { hours: 72, isPublic: true },
  facts: { hours: 24, isPublic: true },
  countries: { hours: 24, isPublic: true },
  role: { hours: 72, isPublic: false },
  invite: { hours: 72, isPublic: false },
  reinvite: { hours: 72, isPublic: false },
  approver: { hours: 72, isPublic: false },
} as const
export type ChangeKind = keyof typeof CHANGE_KINDS

/** 72 hours: the minimum time that a change by a single operator waits, because no second person agrees. */
const SINGLE_OPERATOR_HOURS = 72
/** 7 days: an approver whom a single operator named counts as an approver only after this time. */
const NAMED_BY_ONE_HOURS = 7 * 24

/** How long a change waits once it is agreed, in ms. */
export function changeWaitMs(
  kind: ChangeKind,
  { mode, approvers }: { readonly mode: 'demo' | 'live'; readonly approvers: number },
): number {
  const { hours } = CHANGE_KINDS[kind]
  if (!isSingleOperator(approvers)) return waitMs(mode, hours)
  return waitMs(mode, kind === 'approver' ? NAMED_BY_ONE_HOURS : Math.max(hours, SINGLE_OPERATOR_HOURS))
}

export function isChangeKind(text: string): text is ChangeKind {
  return Object.hasOwn(CHANGE_KINDS, text)
}

/** 72 hours: during this time, a staff member who was invited again can only read. */
export const REINVITED_HOURS = 72
