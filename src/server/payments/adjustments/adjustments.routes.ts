import type { AdjustmentOut } from '#contract/adjustments.ts'
import { calls } from '#contract/calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { assert } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { type Adjustment, listOwnAdjustments } from '#server/payments/adjustments/adjustments.queries.ts'
import { disputeAdjustment } from '#server/payments/adjustments/dispute-adjustment.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { answer } from '#server/platform/http/answer.ts'
import { metaOf, sliceOf } from '#server/platform/http/paging.ts'
import type { Register } from '#server/platform/http/register-call.ts'

/** Registers the calls for adjustments of the user's own balance. */
export function adjustmentsRoutes(register: Register, ctx: Ctx): void {
  register(calls.adjustments, async ({ user, query }) => {
    const { adjustments, total } = await listOwnAdjustments(ctx.db, user.userId, sliceOf(query))
    return answer({ adjustments: adjustments.map(toAdjustmentReply) }, metaOf(query, total))
  })
  register(calls.disputeAdjustment, async ({ user, params: { trx } }) => {
    const done = await disputeAdjustment(ctx, { userId: user.userId, trx })
    return done.ok ? answer({ adjustment: toAdjustmentReply(done.value) }) : done
  })
}

function toAdjustmentReply(adjustment: Adjustment): AdjustmentOut {
  const { trx, kind, link, message, state, disputedAt, postsAt } = adjustment
  assert(state !== 'waiting' && state !== 'withdrawn', 'users see no adjustment before it is approved')
  return {
    trx,
    kind,
    link,
    amount: moneyNumber(adjustment.amount),
    message,
    state,
    created_at: toIso(adjustment.requestedAt),
    posts_at: postsAt === null ? null : toIso(postsAt),
    can_dispute: state === 'announced' && disputedAt === null,
  }
}
