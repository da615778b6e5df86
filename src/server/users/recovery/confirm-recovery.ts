import { RECOVERY_WAIT_HOURS } from '#core/accounts/recovery.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { isSingleOperator, waitMs } from '#core/staff/independence.ts'
import { type Instant, later } from '#core/time/instant.ts'
import { type Approvers, readApprovers, readStaffFacts } from '#server/audit/approvers.queries.ts'
import { markOfPair } from '#server/audit/check-dual-approval.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import { lockRecovery, markConfirmed, type Recovery } from '#server/users/recovery/recovery.queries.ts'

export type ConfirmRecoveryRefusal =
  | 'not_found'
  | 'recovery_over'
  | 'content_changed'
  | 'asked_yourself'
  | 'not_approver'
  | 'not_independent'
  | 'second_person_needed'

interface Confirming {
  readonly id: string
  readonly seenHash: string
  readonly staffId: string
  readonly actor: Actor
  readonly mode: 'demo' | 'live'
}

/**
 * Confirms a recovery as the second staff member. All contacts of the user get a notice, with which the user can stop
 * the recovery before the link is used.
 */
export async function confirmRecovery(
  ctx: Ctx,
  { id, seenHash, staffId, actor, mode }: Confirming,
): Promise<Result<Instant, ConfirmRecoveryRefusal>> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    const recovery = await lockRecovery(tx, id)
    if (recovery === null) return refuse('not_found')
    if (recovery.state !== 'asked') return refuse('recovery_over')
    // The hash covers the user's verified contact, so this also refuses a recovery whose verified contact has changed
    // since the request.
    if (recovery.contentHash !== seenHash || recoveryHash(recovery) !== seenHash) return refuse('content_changed')
    const mark = await markOfConfirmation(ctx, tx, { recovery, staffId, place: actor.address ?? '' })
    if (!mark.ok) return mark
    const at = ctx.now()
    const opensAt = later(at, waitMs(mode, RECOVERY_WAIT_HOURS))
    await markConfirmed(tx, recovery, { by: staffId, at, opensAt, mark: mark.value })
    const [before, after] = [{ state: 'asked' }, { state: 'waiting', recovery: id, opensAt, contentHash: seenHash }]
    await recordAction(tx, ctx, actor, { target: recovery.userId, outcome: 'done', before, after })
    return ok({ userId: recovery.userId, opensAt })
  })
  if (!done.ok) return done
  ctx.publish({ kind: 'account-changed', userId: done.value.userId })
  return ok(done.value.opensAt)
}

/**
 * The hash of what both staff members confirm: the request and the user's verified contact at present. It differs from
 * the stored hash once the user's verified contact has changed.
 */
export function recoveryHash({ userId, lost, newAddress, provenAddress, words, deposits }: Recovery): string {
  return contentHash({ userId, lost, newAddress, provenAddress, words, deposits })
}

/**
 * Checks whether a staff member can confirm a recovery now. Returns the mark that is stored with the two approvals (see
 * `markOfPair`), or a refusal.
 */
export async function markOfConfirmation(
  ctx: Ctx,
  tx: Tx,
  { recovery, staffId, place }: { readonly recovery: Recovery; readonly staffId: string; readonly place: string },
): Promise<Result<string, 'asked_yourself' | 'not_approver' | 'not_independent' | 'second_person_needed'>> {
  const approvers = await readApprovers(ctx, tx)
  if (isSingleOperator(approvers.byId.size) && recovery.newAddress === null) {
    // No second approver exists. The link goes to the user's own verified contact, so the operator gets no session.
    return ok('')
  }
  const pair = await pairWithAsker(ctx, tx, { approvers, recovery })
  if (pair === null) return refuse('not_independent', { params: { variant: 'not_approver' } })
  const first = { staffId: recovery.requestedBy, at: recovery.requestedAt, place: recovery.requestedFrom }
  const mark = markOfPair(pair, { first, staffId, place, now: ctx.now() })
  return mark.ok ? mark : ownRequest(mark)
}

function ownRequest<R extends string>(
  refused: Refusal<R | 'second_person_needed'>,
): Refusal<R | 'asked_yourself' | 'second_person_needed'> {
  return refused.refusal === 'second_person_needed' ? refuse('asked_yourself') : refused
}

/**
 * Returns the approvers together with the staff member who requested the recovery, who need not be an approver. If the
 * recovery has a new address, a pair in which one admitted the other is refused, even while no other pair exists. One
 * person could control both accounts.
 */
async function pairWithAsker(
  ctx: Ctx,
  tx: Tx,
  { approvers: { byId, peak }, recovery }: { readonly approvers: Approvers; readonly recovery: Recovery },
): Promise<Approvers | null> {
  const asker = await readStaffFacts(ctx, tx, recovery.requestedBy)
  if (asker === null) return null
  return {
    byId: new Map([...byId, [asker.staffId, { ...asker, approverMs: 0 }]]),
    peak: recovery.newAddress === null ? peak : Number.POSITIVE_INFINITY,
  }
}
