import { HOUR_MS } from '#core/time/instant.ts'

/** The facts about a staff member that the rule on two approvals uses. */
export interface ApproverFacts {
  readonly staffId: string
  /** The time from which the staff member counts as an approver. Null for a staff member who is not an approver. */
  readonly approverMs: number | null
  /**
   * The staff members who admitted this approver. If the list names only one staff member, the approver counts as
   * admitted by one person for ever.
   */
  readonly approverBy: readonly string[]
  readonly invitedBy: string | null
  readonly reinvitedBy: string | null
  /** Identifies the authenticator that the staff member enrolled. Null without one. */
  readonly credential: string | null
}

export type Dependence = 'same_person' | 'not_approver' | 'invited' | 'admitted' | 'same_credential'

export type Independence =
  | { readonly ok: true; readonly isAdmittedByOther: boolean }
  | { readonly ok: false; readonly why: Dependence }

interface Moment {
  readonly now: number
  /** The highest number of approvers that the installation has ever had at the same time. */
  readonly peakApprovers: number
}

/**
 * Decides whether two staff members count as two people. A pair in which one member admitted or invited the other does
 * not count. Exception: such a pair counts while there have never been more than two approvers, because there is no
 * other pair. `isAdmittedByOther` marks this exception, and is published with each decision.
 */
export function mayApproveTogether(
  first: ApproverFacts,
  second: ApproverFacts,
  { now, peakApprovers }: Moment,
): Independence {
  if (first.staffId === second.staffId) return { ok: false, why: 'same_person' }
  if (!isApprover(first, now) || !isApprover(second, now)) return { ok: false, why: 'not_approver' }
  if (first.credential !== null && first.credential === second.credential) return { ok: false, why: 'same_credential' }
  const isInvited = invited(first, second) || invited(second, first)
  const isAdmitted = admittedAlone(first, second) || admittedAlone(second, first)
  if (!isInvited && !isAdmitted) return { ok: true, isAdmittedByOther: false }
  if (peakApprovers <= 2) return { ok: true, isAdmittedByOther: true }
  return { ok: false, why: isAdmitted ? 'admitted' : 'invited' }
}

/** Whether the staff member counts as an approver at this moment. */
export function isApprover({ approverMs }: Pick<ApproverFacts, 'approverMs'>, now: number): boolean {
  return approverMs !== null && approverMs <= now
}

function invited(by: ApproverFacts, other: ApproverFacts): boolean {
  return other.invitedBy === by.staffId || other.reinvitedBy === by.staffId
}

function admittedAlone(by: ApproverFacts, other: ApproverFacts): boolean {
  return other.approverBy.length === 1 && other.approverBy[0] === by.staffId
}

/** 2: with fewer approvers, the installation is in single-operator mode, because nothing can get two approvals. */
const MIN_APPROVERS = 2

export function isSingleOperator(approvers: number): boolean {
  return approvers < MIN_APPROVERS
}

/** 1 min: how long a demo waits where a live installation waits hours or days. */
const DEMO_WAIT_MS = 60_000

/** How long an agreed change or decision waits, in ms. In a demo, at most a minute. */
export function waitMs(mode: 'demo' | 'live', hours: number): number {
  return mode === 'demo' ? Math.min(DEMO_WAIT_MS, hours * HOUR_MS) : hours * HOUR_MS
}

/** Hours that a decision by a single operator waits where two people would otherwise have to agree. */
export const SINGLE_OPERATOR_HOURS = { withdrawal: 24, rejection: 72, return: 24, deposit: 72, correction: 72 } as const
