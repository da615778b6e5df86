import type { DepositRow } from '#contract/back-office/deposits.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { type Refusal, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import {
  type DecidedBy,
  decidedByOf,
  type DecisionRefusal,
  findDecider,
  refuseDecided,
} from '#server/audit/deciders.ts'
import { queueFigures } from '#server/back-office/api/queue-figures.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { addRemark, listStaffNotes, toStaffNotesReply } from '#server/audit/staff-notes.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { approveDeposit } from '#server/payments/deposits/approve-deposit.ts'
import type { DecideRefusal } from '#server/payments/deposits/decide-deposit.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { CREDITED, type DepositStatus, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import { findForReview, type ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import { rejectDeposit } from '#server/payments/deposits/reject-deposit.ts'
import { depositCursor, listStaffDeposits } from '#server/back-office/deposits/deposits.queries.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { mediaTypesOf } from '#server/platform/uploads/uploads.queries.ts'

type State = DepositRow['state']
const STATE: Readonly<Record<DepositStatus, State>> = { 1: 'credited', 2: 'waiting', 3: 'rejected' }

interface StaffDepositsParts {
  readonly ctx: Ctx
  readonly settings: Settings
}

/** Registers the calls for the queue of deposits: list, approve and reject. */
export function staffDepositsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings }: StaffDepositsParts,
): void {
  registerList(staffCalls.staffDeposits, async ({ filters: { state, search }, after, limit }) => {
    const wanted = { state: state ?? null, search: search ?? null }
    const deposits = await listStaffDeposits(ctx.db, wanted, { after, limit })
    const people = await peopleOf(deposits)
    return deposits.map((deposit) => ({ row: toRow(deposit, people), cursor: depositCursor(deposit) }))
  })

  register(staffCalls.staffDepositFigures, async () => ok(await queueFigures(ctx.db, 'deposit', ctx.now())))

  register(staffCalls.staffDeposit, async ({ params: { trx } }) => {
    const deposit = await findForReview(ctx.db, trx)
    if (!deposit) return refuse('not_found')
    const mediaTypes = await mediaTypesOf(ctx.db, Object.values(deposit.files))
    return ok({
      ...toRow(deposit, await peopleOf([deposit])),
      content_hash: depositHash(deposit),
      fields: Object.entries(deposit.fields).map(([label, value]) => ({ label, value })),
      files: Object.entries(deposit.files).map(([label, name]) => ({
        label,
        name,
        media_type: mediaTypes.get(name) ?? '',
      })),
      remarks: toStaffNotesReply(await listStaffNotes(ctx.db, { kind: 'deposit', subject: trx })),
      feedback: deposit.feedback,
    })
  })

  register(staffCalls.staffApproveDeposit, async ({ params: { trx }, body, actor }) => {
    const { twoPeopleAbove } = settings.current
    const seen = { trx, actor, seenHash: body.content_hash }
    const done = await approveDeposit(ctx, { ...seen, remark: body.words, twoPeopleAbove })
    if (!done.ok) return toDecisionRefusal(done, trx)
    return ok({ outcome: done.value.isDecided ? 'credited' : 'first-approval' } as const)
  })

  register(
    staffCalls.staffRejectDeposit,
    async ({ params: { trx }, body: { words, content_hash: seenHash }, actor }) => {
      if (words === '') return refuse('words_needed')
      const done = await rejectDeposit(ctx, { trx, words, actor, seenHash })
      return done.ok ? ok({ outcome: 'rejected' } as const) : toDecisionRefusal(done, trx)
    },
  )

  register(staffCalls.staffRemarkDeposit, async ({ params: { trx }, body: { text }, staff, actor }) => {
    if (text === '') return refuse('remark_needed')
    if (!(await findForReview(ctx.db, trx))) return refuse('not_found')
    const subject = { kind: 'deposit', subject: trx } as const
    await addRemark(ctx, subject, { text, staffId: staff.staffId, actor })
    return ok({ remarks: toStaffNotesReply(await listStaffNotes(ctx.db, subject)) })
  })

  function peopleOf(deposits: readonly ReviewedDeposit[]): Promise<DecidedBy> {
    const payments = deposits.map((one) => ({
      trx: one.trx,
      isWaiting: one.status === PENDING,
      hash: () => depositHash(one),
    }))
    return decidedByOf(ctx.db, 'deposit', payments)
  }

  function toRow(deposit: ReviewedDeposit, decidedBy: DecidedBy): DepositRow {
    return {
      trx: deposit.trx,
      state: STATE[deposit.status],
      user_id: deposit.userId,
      username: deposit.username,
      gateway: deposit.method,
      currency: deposit.currency,
      amount: moneyNumber(deposit.amount),
      charge: moneyNumber(deposit.charge),
      total: moneyNumber(deposit.total),
      rate: rateNumber(deposit.rate),
      credited: moneyNumber(deposit.credited),
      created_at: toIso(deposit.createdAt),
      ...decidedBy(deposit.trx),
      decided_at: deposit.decidedAt === null ? null : toIso(deposit.decidedAt),
      needs_two: deposit.credited > settings.current.twoPeopleAbove,
    }
  }

  /** Converts the use case's refusals to those of the calls. */
  async function toDecisionRefusal({ refusal, params }: Refusal<DecideRefusal>, trx: string): Promise<DecisionRefusal> {
    switch (refusal) {
      case 'deposit_unknown':
        return refuse('not_found')
      case 'deposit_decided': {
        const by = await findDecider(ctx.db, trx)
        return refuseDecided(params?.['status'] === CREDITED ? 'approved' : 'rejected', by)
      }
      case 'content_changed':
      case 'second_person_needed':
        return refuse(refusal)
    }
  }
}
