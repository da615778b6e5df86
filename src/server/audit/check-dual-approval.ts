import { sql } from 'kysely'
import type { Money } from '#core/money/money.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import {
  type Dependence,
  type Independence,
  isSingleOperator,
  mayApproveTogether,
  SINGLE_OPERATOR_HOURS,
  waitMs,
} from '#core/staff/independence.ts'
import { DAY_MS, HOUR_MS, instant, later, minuteText } from '#core/time/instant.ts'
import { type Approvers, readApprovers } from '#server/audit/approvers.queries.ts'
import {
  ALONE,
  approvedSince,
  FIRST,
  type FirstApproval,
  insertApproval,
  openApprovals,
  SECOND,
  type SubjectKind,
} from '#server/audit/dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** The amounts that one staff member may approve alone. */
export interface ApprovalLimits {
  readonly mode: 'demo' | 'live'
  /**
   * An approval of more than this amount needs two approvers. The 24 h sum for one user or one destination has the same
   * limit.
   */
  readonly twoPeopleAbove: Money
  /** The sum in 24 h that one staff member may approve alone. */
  readonly onePersonDaily: Money
}

interface Approving {
  readonly kind: SubjectKind
  readonly subject: string
  readonly contentHash: string
  readonly actor: Actor
  /** Null when the decision is about no user. */
  readonly userId: string | null
  readonly amount: Money
  readonly destination?: Uint8Array
  readonly limits: ApprovalLimits
}

export type ApprovalRefusal = 'second_person_needed' | 'not_approver' | 'not_independent' | 'change_pending'

/**
 * Waits for other approvals, so that parallel approvals cannot exceed a limit together. The caller must call it before
 * it locks any row. Otherwise two callers could deadlock.
 */
export async function lockApprovals(tx: Tx): Promise<void> {
  // An arbitrary number that no other lock uses.
  await sql`select pg_advisory_xact_lock(7204120)`.execute(tx)
}

/**
 * Decides whether an approval completes a decision now. The caller must hold `lockApprovals` and the subject's row.
 * Returns `decide`, or `first` above a limit, when the approval was only recorded.
 */
export async function checkDualApproval(
  tx: Tx,
  ctx: Ctx,
  { limits, ...approving }: Approving,
): Promise<'decide' | 'first' | Refusal<ApprovalRefusal>> {
  const { amount } = approving
  const entry = entryOf(approving)
  const sums = await approvedSince(tx, entry, later(ctx.now(), -DAY_MS))
  const total = [sums.byUser, sums.byDestination].reduce((most, sum) => (sum > most ? sum : most), 0n)
  const needsTwo = total + amount > limits.twoPeopleAbove || sums.byPerson + amount > limits.onePersonDaily
  if (needsTwo) return await checkTwoPeople(tx, ctx, { ...approving, mode: limits.mode })
  await insertApproval(ctx, tx, { ...entry, step: ALONE })
  return 'decide'
}

/** As `checkDualApproval`, for a decision that needs two approvers at any amount. */
export async function checkTwoPeople(
  tx: Tx,
  ctx: Ctx,
  { mode, ...approving }: Omit<Approving, 'limits'> & { readonly mode: 'demo' | 'live' },
): Promise<'decide' | 'first' | Refusal<ApprovalRefusal>> {
  const { kind, subject, contentHash, actor } = approving
  const entry = entryOf(approving)
  // An actor without a staff id, such as the operator CLI, cannot give one of two approvals.
  const { staffId } = actor
  if (staffId === undefined) return refuse('second_person_needed')
  const approvers = await readApprovers(ctx, tx)
  const open = await openApprovals(tx, entry)
  const decided = isSingleOperator(approvers.byId.size)
    ? afterWait(ctx, { kind, mode, open })
    : byTwo({ approvers, staffId, open, place: entry.place, now: ctx.now() })
  if (typeof decided !== 'string' && 'refusal' in decided) return decided
  if (decided !== 'first') {
    await insertApproval(ctx, tx, { ...entry, ...decided })
    return 'decide'
  }
  await insertApproval(ctx, tx, { ...entry, step: FIRST })
  await recordAction(tx, ctx, actor, { target: subject, outcome: 'done', after: { approvals: 1, contentHash } })
  return 'first'
}

/** Builds the content of an approval, without its step. */
function entryOf({ destination, actor, ...content }: Omit<Approving, 'limits'>) {
  return {
    ...content,
    staffId: actor.staffId ?? null,
    person: actor.staffId ?? actor.who,
    destination: destination ? Buffer.from(destination).toString('hex') : null,
    place: actor.address ?? '',
  }
}

interface ApprovingAdjustment extends Omit<Approving, 'kind' | 'limits' | 'destination'> {
  /** The request, which counts as the first approval. */
  readonly first: { readonly staffId: string; readonly at: number }
  readonly staffId: string
  readonly mode: 'demo' | 'live'
}

/**
 * As `checkDualApproval`, for an adjustment. An adjustment always needs two approvers, and its request is the first
 * approval.
 */
export async function checkAdjustment(
  tx: Tx,
  ctx: Ctx,
  { subject, contentHash, actor, userId, amount, first, staffId, mode }: ApprovingAdjustment,
): Promise<'decide' | Refusal<Exclude<ApprovalRefusal, 'second_person_needed'> | 'asked_yourself'>> {
  const approvers = await readApprovers(ctx, tx)
  const place = actor.address ?? ''
  const open = [{ ...first, place: '' }]
  const decided = isSingleOperator(approvers.byId.size)
    ? afterWait(ctx, { kind: 'correction', mode, open })
    : byTwo({ approvers, staffId, open, place, now: ctx.now() })
  if (decided === 'first') return refuse('not_independent')
  if ('refusal' in decided)
    return decided.refusal === 'second_person_needed'
      ? refuse('asked_yourself')
      : { ...decided, refusal: decided.refusal }
  const entry = { kind: 'correction', subject, contentHash, staffId, person: staffId, userId, amount, place } as const
  await insertApproval(ctx, tx, { ...entry, destination: null, step: decided.step, mark: decided.mark })
  return 'decide'
}

type Step = 'first' | { readonly step: number; readonly mark: string } | Refusal<ApprovalRefusal>

/**
 * Handles an approval when there are fewer than two approvers, so that a second approval is impossible. The first
 * approval starts a wait. The same decision takes effect when it is repeated after the wait.
 */
function afterWait(
  ctx: Ctx,
  { kind, mode, open }: { readonly kind: SubjectKind; readonly mode: 'demo' | 'live'; readonly open: FirstApproval[] },
): Step {
  const [first] = open
  if (first === undefined) return 'first'
  const until = instant(first.at + waitMs(mode, SINGLE_OPERATOR_HOURS[kind]))
  if (ctx.now() < until) return refuse('change_pending', { params: { until: minuteText(until) } })
  return { step: ALONE, mark: 'one_operator' }
}

/** Finds a first approval of another staff member that is valid together with this approval. */
function byTwo({
  approvers,
  staffId,
  open,
  place,
  now,
}: {
  readonly approvers: Approvers
  readonly staffId: string
  readonly open: readonly FirstApproval[]
  readonly place: string
  readonly now: number
}): Step {
  if (!approvers.byId.has(staffId)) return refuse('not_approver')
  let why: Dependence | undefined
  for (const first of open) {
    const pair = pairOf(approvers, { first, staffId, now })
    if (pair.ok) return { step: SECOND, mark: markOf(pair.isAdmittedByOther, isSamePlace(first, place, now)) }
    if (pair.why !== 'not_approver' && pair.why !== 'no_own') why = pair.why
  }
  if (why === undefined) return 'first'
  return why === 'same_person'
    ? refuse('second_person_needed')
    : refuse('not_independent', { params: { variant: why } })
}

/**
 * Returns whether a first approval and another staff member count as two approvers now. A first approval ends when the
 * staff member who gave it is invited again, gets another role or is blocked. `no_own`: the other staff member is not
 * an approver.
 */
export function pairOf(
  { byId, peak }: Approvers,
  {
    first: given,
    staffId,
    now,
  }: {
    readonly first: { readonly staffId: string; readonly at: number }
    readonly staffId: string
    readonly now: number
  },
): Independence | { readonly ok: false; readonly why: 'no_own' } {
  const own = byId.get(staffId)
  if (own === undefined) return { ok: false, why: 'no_own' }
  const first = byId.get(given.staffId)
  if (first === undefined || Number(first.approverMs) > given.at) return { ok: false, why: 'not_approver' }
  return mayApproveTogether(first, own, { now, peakApprovers: peak })
}

export type PairRefusal = 'not_approver' | 'not_independent' | 'second_person_needed'

/** Returns the mark of two approvals, or why they do not count as approvals of two staff members. */
export function markOfPair(
  approvers: Approvers,
  {
    first,
    staffId,
    place,
    now,
  }: { readonly first: FirstApproval; readonly staffId: string; readonly place: string; readonly now: number },
): Result<string, PairRefusal> {
  const pair = pairOf(approvers, { first, staffId, now })
  if (pair.ok) return ok(markOf(pair.isAdmittedByOther, isSamePlace(first, place, now)))
  if (pair.why === 'same_person') return refuse('second_person_needed')
  if (pair.why === 'no_own') return refuse('not_approver')
  return refuse('not_independent', { params: { variant: pair.why } })
}

/** Whether two approvals within an hour came from one address. That is allowed, because staff share offices. */
function isSamePlace(first: { readonly at: number; readonly place: string }, place: string, now: number): boolean {
  return place !== '' && first.place === place && now - first.at <= HOUR_MS
}

/**
 * Joins the marks of a decision by two approvers, in the form that is stored and published. `admitted`: one approver
 * had admitted or invited the other.
 */
function markOf(isAdmitted: boolean, isSame: boolean): string {
  return [isAdmitted ? 'admitted' : '', isSame ? 'same_place' : ''].filter((part) => part !== '').join('_')
}
