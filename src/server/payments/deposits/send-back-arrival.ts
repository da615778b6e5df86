import { assert, ok, refuse, type Result } from '#core/result.ts'
import { worthOf } from '#core/wallet/arrival-credit.ts'
import { readReference, type ReferenceRefusal } from '#core/wallet/payment-reference.ts'
import { type ApprovalLimits, type ApprovalRefusal, checkTwoPeople } from '#server/audit/check-dual-approval.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { keepAnswer } from '#server/audit/staff-requests.ts'
import {
  type ArrivalChange,
  arrivalHash,
  type ArrivalRefusal,
  lockUnassigned,
} from '#server/payments/deposits/assign-arrival.ts'
import { changeArrival } from '#server/payments/deposits/arrivals.queries.ts'
import type { RateAt } from '#server/payments/deposits/gateway-rate.ts'
import { findStaffGateway } from '#server/payments/gateways/gateways.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'

interface SendingBack extends ArrivalChange {
  readonly reference: string
  readonly reason: string
  readonly limits: ApprovalLimits
}

type SendBackRefusal = ArrivalRefusal | ReferenceRefusal | 'reason_needed' | ApprovalRefusal
type Outcome = 'sent_back' | 'first-approval'

/**
 * Records that an unassigned arrival was sent back. No money of a user moves. Above the limit, and when the
 * present worth is unknown, two people have to agree.
 */
export async function sendArrivalBack(
  { ctx, rateAt }: { readonly ctx: Ctx; readonly rateAt: RateAt },
  { reference: typed, reason, limits, ...change }: SendingBack,
): Promise<Result<Outcome, SendBackRefusal>> {
  const reference = readReference(null, typed)
  if (!reference.ok) return { ...reference, field: 'reference' }
  if (reason === '') return refuse('reason_needed', { field: 'reason' })
  return ctx.db.transaction().execute(async (tx): Promise<Result<Outcome, SendBackRefusal>> => {
    const locked = await lockUnassigned(tx, change)
    if (!locked.ok) return locked
    const { arrival, answer } = locked.value
    if (answer !== null) return ok(answer === 'sent_back' ? 'sent_back' : 'first-approval')
    const gateway = await findStaffGateway(tx, arrival.gatewayId)
    assert(gateway, 'gateways are never deleted')
    const now = ctx.now()
    const rate = await rateAt(tx, gateway, now)
    const worth = rate === null ? null : worthOf(arrival.amount, rate)
    if (worth === null || worth > limits.twoPeopleAbove) {
      const content = { kind: 'deposit', subject: arrival.id, contentHash: arrivalHash(arrival) } as const
      const admitted = await checkTwoPeople(tx, ctx, {
        ...content,
        actor: change.actor,
        userId: null,
        amount: worth ?? limits.twoPeopleAbove,
        mode: limits.mode,
      })
      if (admitted === 'first') {
        await keepAnswer(ctx, tx, change.request, 'first-approval')
        return ok('first-approval')
      }
      if (admitted !== 'decide') return admitted
    }
    await changeArrival(tx, arrival, { state: 'sent_back', sentAt: now, sentReference: reference.value })
    await recordAction(tx, ctx, change.actor, {
      target: arrival.id,
      reason,
      outcome: 'done',
      before: { state: arrival.state },
      after: { state: 'sent_back', amount: String(arrival.amount), reference: reference.value },
    })
    await keepAnswer(ctx, tx, change.request, 'sent_back')
    return ok('sent_back')
  })
}
