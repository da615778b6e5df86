import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok, refuse } from '#core/result.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import type { Actor } from '#server/audit/record-action.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import {
  arrivalCursor,
  findStaffArrival,
  listStaffArrivals,
  toArrivalRow,
} from '#server/back-office/arrivals/arrivals.queries.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { assignArrival, arrivalHash } from '#server/payments/deposits/assign-arrival.ts'
import { createRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { sendArrivalBack } from '#server/payments/deposits/send-back-arrival.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StaffArrivalsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
  readonly catalogue: MarketCatalogue
}

/** Registers the calls for money that arrived: list, assign to a deposit or a user, and sent back. */
export function staffArrivalsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings, mode, catalogue }: StaffArrivalsParts,
): void {
  const rateAt = createRateAt(catalogue)

  registerList(staffCalls.staffArrivals, async ({ filters: { state }, after, limit }) => {
    const arrivals = await listStaffArrivals(ctx.db, state ?? null, { after, limit })
    return arrivals.map((one) => ({ row: toArrivalRow(one), cursor: arrivalCursor(one) }))
  })

  register(staffCalls.staffArrival, async ({ params: { id } }) => {
    const arrival = await findStaffArrival(ctx.db, id)
    return arrival ? ok({ ...toArrivalRow(arrival), content_hash: arrivalHash(arrival) }) : refuse('not_found')
  })

  register(staffCalls.staffAssignArrival, async (given) => {
    const { trx, username } = given.body
    if ((trx === undefined) === (username === undefined)) return refuse('not_found')
    const to = trx === undefined ? { username: username ?? '' } : { trx }
    const done = await assignArrival({ ctx, rateAt }, { ...changeOf(given), to })
    return done.ok ? ok({ trx: done.value }) : done
  })

  register(staffCalls.staffSendArrivalBack, async (given) => {
    const { reference, reason } = given.body
    const limits = approvalLimits(settings, mode)
    const done = await sendArrivalBack({ ctx, rateAt }, { ...changeOf(given), reference, reason, limits })
    return done.ok ? ok({ outcome: done.value }) : done
  })
}

interface Given {
  readonly params: { readonly id: string }
  readonly body: { readonly content_hash: string; readonly request_id: string }
  readonly staff: { readonly staffId: string }
  readonly actor: Actor
}

function changeOf({ params: { id }, body, staff: { staffId }, actor }: Given) {
  const { request_id: requestId, content_hash: seenHash, ...content } = body
  const hash = contentHash({ what: actor.what, id, seenHash, ...content })
  return { id, actor, seenHash, request: { staffId, requestId, contentHash: hash } }
}
