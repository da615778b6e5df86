import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { moneyNumber } from '#core/money/money.ts'
import { type Refusal, ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import type { WithdrawalCheck } from '#core/wallet/withdrawal-checks.ts'
import { shortDetails, wholeDetails } from '#core/wallet/short-details.ts'
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
import type { Settings } from '#server/settings/site-settings.ts'
import { approveWithdrawal } from '#server/payments/withdrawals/approve-withdrawal.ts'
import type { CloseRefusal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { checksOf, movesOf, recentOf } from '#server/back-office/withdrawals/review-facts.queries.ts'
import { rejectWithdrawal } from '#server/payments/withdrawals/reject-withdrawal.ts'
import { listStaffWithdrawals, withdrawalCursor } from '#server/back-office/withdrawals/withdrawals.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { PAID, PENDING } from '#server/payments/withdrawals/withdrawals.queries.ts'

interface StaffWithdrawalsParts {
  readonly ctx: Ctx
  readonly settings: Settings
}

/** Registers the calls for the queue of withdrawals: list, approve, reject and add notes. */
export function staffWithdrawalsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx, settings }: StaffWithdrawalsParts,
): void {
  const { db } = ctx

  registerList(staffCalls.staffWithdrawals, async ({ filters: { state, search }, after, limit, isFile }) => {
    const wanted = { state: state ?? null, search: search ?? null }
    const withdrawals = await listStaffWithdrawals(db, ctx.vault, wanted, { after, limit })
    const checks = await checksOf(db, withdrawals)
    const people = await peopleOf(withdrawals)
    // Roles that see the list may see the details of each withdrawal in full.
    const payTo = isFile ? wholeDetails : shortDetails
    return withdrawals.map((one) => ({
      row: { ...toRow(one, people, checks), pay_to: payTo(one.details) },
      cursor: withdrawalCursor(one),
    }))
  })

  register(staffCalls.staffWithdrawalFigures, async () => ok(await queueFigures(db, 'withdrawal', ctx.now())))

  register(staffCalls.staffWithdrawal, async ({ params: { trx } }) => {
    const withdrawal = await findForReview(db, ctx.vault, trx)
    if (!withdrawal) return refuse('not_found')
    const checks = await checksOf(db, [withdrawal])
    const recent = await recentOf(db, withdrawal.userId, ctx.now())
    return ok({
      ...toRow(withdrawal, await peopleOf([withdrawal]), checks),
      content_hash: withdrawalHash(withdrawal),
      details: Object.entries(withdrawal.details).map(([label, value]) => ({ label, value })),
      checks: checks.get(trx) ?? [],
      moves: await loadTransfersReply(withdrawal),
      recent: { ...recent, deposited: moneyNumber(recent.deposited), withdrawn: moneyNumber(recent.withdrawn) },
      remarks: toStaffNotesReply(await listStaffNotes(db, { kind: 'withdrawal', subject: trx })),
      feedback: withdrawal.feedback,
    })
  })

  register(staffCalls.staffApproveWithdrawal, async ({ params: { trx }, body, actor }) => {
    const { twoPeopleAbove } = settings.current
    const seen = { trx, actor, seenHash: body.content_hash }
    const done = await approveWithdrawal(ctx, { ...seen, words: body.words, twoPeopleAbove })
    if (!done.ok) return toDecisionRefusal(done, trx)
    return ok({ outcome: done.value.isDecided ? 'paid' : 'first-approval' } as const)
  })

  register(staffCalls.staffRejectWithdrawal, async ({ params: { trx }, body, actor }) => {
    const done = await rejectWithdrawal(ctx, { trx, words: body.words, actor, seenHash: body.content_hash })
    if (done.ok) return ok({ outcome: 'rejected' } as const)
    return done.refusal === 'words_missing'
      ? refuse('words_needed')
      : toDecisionRefusal({ ...done, refusal: done.refusal }, trx)
  })

  register(staffCalls.staffRemarkWithdrawal, async ({ params: { trx }, body: { text }, staff, actor }) => {
    if (text === '') return refuse('remark_needed')
    if (!(await findForReview(db, ctx.vault, trx))) return refuse('not_found')
    const subject = { kind: 'withdrawal', subject: trx } as const
    await addRemark(ctx, subject, { text, staffId: staff.staffId, actor })
    return ok({ remarks: toStaffNotesReply(await listStaffNotes(db, subject)) })
  })

  /** Returns the withdrawal's transfers and, while it is pending, the transfers that an approval would add. */
  async function loadTransfersReply(withdrawal: ReviewedWithdrawal) {
    const posted = await movesOf(db, withdrawal)
    const coming = withdrawal.status === PENDING ? closingTransfers(withdrawal, 'paid') : []
    return [
      ...posted.map((move) => ({ ...move, amount: moneyNumber(move.amount), at: toIso(move.at) })),
      ...coming.map(({ kind, from, to, amount }) => ({ kind, from, to, amount: moneyNumber(amount), at: null })),
    ]
  }

  function peopleOf(withdrawals: readonly ReviewedWithdrawal[]): Promise<DecidedBy> {
    const payments = withdrawals.map((one) => ({
      trx: one.trx,
      isWaiting: one.status === PENDING,
      hash: () => withdrawalHash(one),
    }))
    return decidedByOf(ctx.db, 'withdrawal', payments)
  }

  function toRow(one: ReviewedWithdrawal, decidedBy: DecidedBy, checks: Checks): WithdrawalRow {
    return {
      trx: one.trx,
      state: stateOf(one),
      user_id: one.userId,
      username: one.username,
      method: one.method,
      pay_to: shortDetails(one.details),
      currency: one.currency,
      amount: moneyNumber(one.amount),
      charge: moneyNumber(one.charge),
      rate: rateNumber(one.rate),
      paid_out: moneyNumber(one.paidOut),
      created_at: toIso(one.createdAt),
      ...decidedBy(one.trx),
      decided_at: one.decidedAt === null ? null : toIso(one.decidedAt),
      needs_two: one.amount > settings.current.twoPeopleAbove,
      concerns: (checks.get(one.trx) ?? []).filter(({ passed }) => !passed).map(({ check }) => check),
    }
  }

  /** Converts the use case's refusals to those of the calls. */
  async function toDecisionRefusal({ refusal, params }: Refusal<CloseRefusal>, trx: string): Promise<DecisionRefusal> {
    switch (refusal) {
      case 'withdrawal_unknown':
        return refuse('not_found')
      case 'withdrawal_decided': {
        const by = await findDecider(ctx.db, trx)
        if (params?.['status'] === PAID) return refuseDecided('approved', by)
        // Decisions by staff are in the audit log. A cancellation by the user is not.
        return refuseDecided(by === null ? 'cancelled' : 'rejected', by)
      }
      case 'content_changed':
      case 'second_person_needed':
        return refuse(refusal)
    }
  }
}

type Checks = ReadonlyMap<string, readonly WithdrawalCheck[]>

function stateOf({ status, isCancelled }: ReviewedWithdrawal): WithdrawalRow['state'] {
  if (isCancelled) return 'cancelled'
  return status === PAID ? 'paid' : status === PENDING ? 'waiting' : 'rejected'
}
