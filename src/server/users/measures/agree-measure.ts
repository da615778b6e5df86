import { agreedEnd, isLimit, type MeasureKind } from '#core/accounts/measures.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, toIso } from '#core/time/instant.ts'
import { readApprovers } from '#server/audit/approvers.queries.ts'
import { markOfPair, type PairRefusal } from '#server/audit/check-dual-approval.ts'
import { type Actor, recordAction } from '#server/audit/record-action.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { lockAccount } from '#server/users/accounts/users.queries.ts'
import { agreeToMeasure, runningMeasures } from '#server/users/accounts/measures.queries.ts'

export type AgreeRefusal = 'not_found' | 'measure_not_open' | PairRefusal

/**
 * Gives the agreement of a second approver, so that a measure lasts longer than the 72 h that one staff member can set
 * alone. Both staff members must be approvers who are independent of each other.
 */
export async function agreeMeasure(
  ctx: Ctx,
  {
    userId,
    id,
    staffId,
    actor,
  }: { readonly userId: string; readonly id: string; readonly staffId: string; readonly actor: Actor },
): Promise<Result<{ readonly until: Instant | null }, AgreeRefusal>> {
  return ctx.db.transaction().execute(async (tx) => {
    const account = await lockAccount(tx, { userId })
    const measure = (await runningMeasures(tx, userId)).find((one) => one.id === id)
    if (account === null || measure === undefined) return refuse('not_found')
    const { kind, until, requestedBy, since } = measure
    if (isLimit(kind) || !needsSecond(measure)) return refuse('measure_not_open')
    // A measure from the operator CLI has no staff id, so the server cannot tell whether a second approver is another
    // person.
    if (requestedBy === null) return refuse('not_independent', { params: { variant: 'not_approver' } })
    const approvers = await readApprovers(ctx, tx)
    const first = { staffId: requestedBy, at: since, place: '' }
    const agreed = markOfPair(approvers, { first, staffId, place: actor.address ?? '', now: ctx.now() })
    if (!agreed.ok) return agreed
    const agreedUntil = agreedEnd(kind, ctx.now())
    await agreeToMeasure(tx, id, { by: staffId, until: agreedUntil })
    await recordAction(tx, ctx, actor, {
      target: userId,
      outcome: 'done',
      before: { username: account.username, kind, until: untilText(until) },
      after: { username: account.username, kind, until: untilText(agreedUntil), mark: agreed.value },
    })
    return ok({ until: agreedUntil })
  })
}

/**
 * Returns whether a second approver can still prolong a measure: one staff member set it, and it ends by itself. Limits
 * cannot be prolonged so.
 */
export function needsSecond({
  kind,
  until,
  secondBy,
}: {
  readonly kind: MeasureKind
  readonly until: Instant | null
  readonly secondBy: string | null
}): boolean {
  return !isLimit(kind) && until !== null && secondBy === null
}

const untilText = (until: Instant | null) => (until === null ? '' : toIso(until))
