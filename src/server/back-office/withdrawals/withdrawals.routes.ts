import type { WithdrawalFigures } from '#contract/back-office/withdrawals.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { moneyNumber } from '#core/money/money.ts'
import { ok, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { shortDetails, wholeDetails } from '#core/wallet/short-details.ts'
import { addRemark, listStaffNotes, toStaffNotesReply } from '#server/audit/staff-notes.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import { queueFigures } from '#server/back-office/api/queue-figures.ts'
import { checksOf, recentOf } from '#server/back-office/withdrawals/review-facts.queries.ts'
import { staffStepRoutes } from '#server/back-office/withdrawals/steps.routes.ts'
import { historyOf, loadTransfersReply, toWithdrawalRow } from '#server/back-office/withdrawals/withdrawal-reply.ts'
import {
  countByState,
  listStaffWithdrawals,
  waitingForSecond,
  withdrawalCursor,
} from '#server/back-office/withdrawals/withdrawals.queries.ts'
import { findForms } from '#server/payments/gateways/list-gateways.ts'
import { findForReview, type ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { PAID } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Settings } from '#server/settings/site-settings.ts'

interface StaffWithdrawalsParts {
  readonly ctx: Ctx
  readonly settings: Settings
  readonly mode: 'demo' | 'live'
}

/** Registers the calls for the queue of withdrawals: list, details, notes, and each step of a payment. */
export function staffWithdrawalsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  parts: StaffWithdrawalsParts,
): void {
  const { ctx, settings } = parts
  const { db } = ctx
  staffStepRoutes(register, parts)

  registerList(staffCalls.staffWithdrawals, async ({ filters: { state, search }, after, limit, isFile }) => {
    const wanted = { state: state ?? null, search: search ?? null }
    const withdrawals = await listStaffWithdrawals(db, ctx.vault, wanted, { after, limit })
    const facts = await factsOf(withdrawals)
    // A CSV file has the full payment details, because every role that sees the list may also open each withdrawal.
    const payTo = isFile ? wholeDetails : shortDetails
    return withdrawals.map((one) => ({
      row: { ...toWithdrawalRow(one, facts), pay_to: payTo(one.details) },
      cursor: withdrawalCursor(one, wanted),
    }))
  })

  register(staffCalls.staffWithdrawalFigures, async () => {
    const counts = await countByState(db)
    const of = (state: 'requested' | 'approved' | 'paying') => counts.get(state) ?? 0
    return ok({
      ...(await queueFigures(db, 'withdrawal', ctx.now())),
      second_person: (await waitingForSecond(db, ctx.vault)).length,
      waiting: of('requested'),
      to_pay: of('approved'),
      being_paid: of('paying'),
    } satisfies WithdrawalFigures)
  })

  register(staffCalls.staffWithdrawal, async ({ params: { trx } }) => {
    const withdrawal = await findForReview(db, ctx.vault, trx)
    if (!withdrawal) return refuse('not_found')
    const recent = await recentOf(db, withdrawal.userId, ctx.now())
    const facts = await factsOf([withdrawal])
    return ok({
      ...toWithdrawalRow(withdrawal, facts),
      content_hash: withdrawalHash(withdrawal),
      details: Object.entries(withdrawal.details).map(([label, value]) => ({ label, value })),
      checks: facts.checks.get(trx) ?? [],
      destination: await destinationOf(withdrawal),
      steps: (facts.events.get(withdrawal.id) ?? []).map(({ at, ...step }) => ({ ...step, at: toIso(at) })),
      is_before_references: withdrawal.status === PAID && withdrawal.reference === null,
      moves: await loadTransfersReply(db, withdrawal),
      recent: { ...recent, deposited: moneyNumber(recent.deposited), withdrawn: moneyNumber(recent.withdrawn) },
      remarks: toStaffNotesReply(await listStaffNotes(db, { kind: 'withdrawal', subject: trx })),
      feedback: withdrawal.feedback,
    })
  })

  register(staffCalls.staffRemarkWithdrawal, async ({ params: { trx }, body: { text }, staff, actor }) => {
    if (text === '') return refuse('remark_needed')
    if (!(await findForReview(db, ctx.vault, trx))) return refuse('not_found')
    const subject = { kind: 'withdrawal', subject: trx } as const
    await addRemark(ctx, subject, { text, staffId: staff.staffId, actor })
    return ok({ remarks: toStaffNotesReply(await listStaffNotes(db, subject)) })
  })

  async function factsOf(withdrawals: readonly ReviewedWithdrawal[]) {
    const [checks, history] = [await checksOf(db, withdrawals), await historyOf(db, withdrawals)]
    return { ...history, checks, twoPeopleAbove: settings.current.twoPeopleAbove, now: ctx.now() }
  }

  /**
   * Returns the destination of the payment, which the page shows as a QR code, or null when the method has no such
   * field.
   */
  async function destinationOf({ methodId, details }: ReviewedWithdrawal): Promise<string | null> {
    const form = (await findForms(db, [methodId])).get(methodId)
    const field = form?.find(({ type }) => type === 'destination')
    return field === undefined ? null : (details[field.label] ?? null)
  }
}
