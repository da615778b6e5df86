import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { findDecider, refuseDecided } from '#server/audit/deciders.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import type { MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import { listDepositEvents } from '#server/payments/deposits/deposit-events.queries.ts'
import { createRateAt } from '#server/payments/deposits/gateway-rate.ts'
import { recordArrival } from '#server/payments/deposits/record-arrival.ts'
import {
  depositDeciders,
  toArrivals,
  toDecisionRefusal,
  toDepositRow,
  toPreview,
} from '#server/back-office/deposits/deposit-reply.ts'
import { queueFigures } from '#server/back-office/api/queue-figures.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { addRemark, listStaffNotes, toStaffNotesReply } from '#server/audit/staff-notes.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { findForReview } from '#server/payments/deposits/review.queries.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import {
  depositCursor,
  listStaffDeposits,
  sameRequests,
  waitingForSecond,
} from '#server/back-office/deposits/deposits.queries.ts'
import { approvalLimits } from '#server/settings/approval-limits.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { mediaTypesOf } from '#server/platform/uploads/uploads.queries.ts'

interface StaffDepositsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
  readonly catalogue: MarketCatalogue
}

/** Registers the calls for the queue of deposits: list, approve and reject. */
export function staffDepositsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings, mode, catalogue }: StaffDepositsParts,
): void {
  registerList(staffCalls.staffDeposits, async ({ filters: { state, search }, after, limit }) => {
    const wanted = { state: state ?? null, search: search ?? null }
    const deposits = await listStaffDeposits(ctx.db, wanted, { after, limit })
    const { twoPeopleAbove } = settings.current
    const facts = { decidedBy: await depositDeciders(ctx.db, deposits), twoPeopleAbove }
    return deposits.map((deposit) => ({ row: toDepositRow(deposit, facts), cursor: depositCursor(deposit) }))
  })

  register(staffCalls.staffDepositFigures, async () =>
    ok({
      ...(await queueFigures(ctx.db, 'deposit', ctx.now())),
      second_person: (await waitingForSecond(ctx.db)).length,
    }),
  )

  register(staffCalls.staffDeposit, async ({ params: { trx } }) => {
    const deposit = await findForReview(ctx.db, trx)
    if (!deposit) return refuse('not_found')
    const mediaTypes = await mediaTypesOf(ctx.db, Object.values(deposit.files))
    const decidedBy = await depositDeciders(ctx.db, [deposit])
    return ok({
      ...toDepositRow(deposit, { decidedBy, twoPeopleAbove: settings.current.twoPeopleAbove }),
      content_hash: depositHash(deposit),
      fields: Object.entries(deposit.fields).map(([label, value]) => ({ label, value })),
      files: Object.entries(deposit.files).map(([label, name]) => ({
        label,
        name,
        media_type: mediaTypes.get(name) ?? '',
      })),
      remarks: toStaffNotesReply(await listStaffNotes(ctx.db, { kind: 'deposit', subject: trx })),
      feedback: deposit.feedback,
      arrivals: toArrivals(deposit),
      preview: toPreview(deposit, settings.current.twoPeopleAbove),
      is_before_arrivals: deposit.isBeforeArrivals,
      steps: ((await listDepositEvents(ctx.db, [deposit])).get(deposit.id) ?? []).map(({ at, ...step }) => ({
        ...step,
        at: toIso(at),
      })),
      same_request: await sameRequests(ctx.db, deposit),
    })
  })

  decisionRoutes(register, { ctx, settings, mode, catalogue })

  register(staffCalls.staffRemarkDeposit, async ({ params: { trx }, body: { text }, staff, actor }) => {
    if (text === '') return refuse('remark_needed')
    if (!(await findForReview(ctx.db, trx))) return refuse('not_found')
    const subject = { kind: 'deposit', subject: trx } as const
    await addRemark(ctx, subject, { text, staffId: staff.staffId, actor })
    return ok({ remarks: toStaffNotesReply(await listStaffNotes(ctx.db, subject)) })
  })
}

/** Registers the calls that record what arrived, approve and reject. */
function decisionRoutes(register: RegisterStaff, { ctx, settings, mode, catalogue }: StaffDepositsParts): void {
  const rateAt = createRateAt(catalogue)

  register(staffCalls.staffApproveDeposit, async ({ params: { trx }, body, actor }) => {
    const seen = { trx, actor, seenHash: body.content_hash }
    const done = await approveDeposit(ctx, { ...seen, remark: body.words, limits: approvalLimits(settings, mode) })
    if (!done.ok) {
      const { refusal } = done
      if (refusal === 'arrival_missing' || refusal === 'nothing_to_credit') return refuse(refusal)
      return toDecisionRefusal(ctx.db, { ...done, refusal }, trx)
    }
    return ok({ outcome: done.value.isDecided ? 'credited' : 'first-approval' } as const)
  })

  register(staffCalls.staffRecordArrival, async ({ params: { trx }, body, staff: { staffId }, actor }) => {
    const { request_id: requestId, content_hash: seenHash, seen_at: seenAt, ...content } = body
    const hash = contentHash({ what: actor.what, trx, seenHash, seenAt, ...content })
    const done = await recordArrival(
      { ctx, rateAt },
      {
        trx,
        ...content,
        actor,
        seenHash,
        seenAt: instant(Date.parse(seenAt)),
        request: { staffId, requestId, contentHash: hash },
      },
    )
    if (done.ok) {
      const { arrival, deposit } = done.value
      return ok({ arrival: arrival.id, preview: toPreview(deposit, settings.current.twoPeopleAbove) })
    }
    const { refusal } = done
    if (refusal === 'deposit_unknown') return refuse('not_found')
    if (refusal === 'deposit_decided') return refuseDecided('rejected', await findDecider(ctx.db, trx))
    return { ...done, refusal }
  })

  register(
    staffCalls.staffRejectDeposit,
    async ({ params: { trx }, body: { words, content_hash: seenHash }, actor }) => {
      if (words === '') return refuse('words_needed')
      const done = await rejectDeposit(ctx, { trx, words, actor, seenHash })
      return done.ok ? ok({ outcome: 'rejected' } as const) : toDecisionRefusal(ctx.db, done, trx)
    },
  )
}
