import type { Money } from '#core/money/money.ts'
import { type Result, ok, refuse } from '#core/result.ts'
import { type Instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { isPayable } from '#core/wallet/method-details.ts'
import { networkOf, readReference, type ReferenceRefusal } from '#core/wallet/payment-reference.ts'
import type { Actor } from '#server/audit/record-action.ts'
import { findForms } from '#server/payments/gateways/list-gateways.ts'
import {
  type ByStaff,
  type ChangeRefusal,
  changeWithdrawal,
  type Stepped,
  takeStep,
} from '#server/payments/withdrawals/change-withdrawal.ts'
import type { ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { refuseLeaveOf } from '#server/payments/withdrawals/leave.queries.ts'
import { findPayer, findReference, isInPaymentFile } from '#server/payments/withdrawals/payer.queries.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import { isLedgerUnclean } from '#server/ledger/reconciliation/save-result.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** 5 min: the clock of a bank can differ from the server's clock by this much. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS

interface Paying extends ByStaff {
  readonly trx: string
}

type StartRefusal = 'not_approved' | 'withdrawal_being_paid' | 'destination_invalid' | 'ledger_unclean'
type OwnRefusal = 'not_being_paid' | 'not_yours'
type PaidRefusal = OwnRefusal | ReferenceRefusal | 'reference_used' | 'paid_at_invalid'
/** The refusals of all steps of a payment in this file. */
export type PayRefusal =
  | ChangeRefusal
  | StartRefusal
  | PaidRefusal
  | 'words_needed'
  | 'reason_needed'
  | 'in_payment_file'
type Done<R extends string> = Promise<Result<Stepped, R | ChangeRefusal>>

/**
 * Starts the payment of an approved withdrawal. From then on, no other staff member can pay the withdrawal, and its
 * user cannot cancel it.
 */
export async function startPaying(ctx: Ctx, { trx, ...staff }: Paying): Done<StartRefusal> {
  return changeWithdrawal<StartRefusal>(
    ctx,
    { trx, staff },
    {
      check: async (one, tx) => {
        if (one.state !== 'paying') return one.state === 'approved' ? null : refuse('not_approved')
        return refuse('withdrawal_being_paid', { params: { who: await findPayer(tx, one) } })
      },
      take: async (tx, one) => {
        if (await isLedgerUnclean(tx)) return refuse('ledger_unclean')
        const form = (await findForms(tx, [one.methodId])).get(one.methodId) ?? []
        if (!isPayable(form, one.details)) return refuse('destination_invalid')
        return ok(await takePaying(ctx, tx, one, staff))
      },
    },
  )
}

/** The staff member who takes a step, and facts about the step that are not columns of the withdrawal. */
interface StepFacts {
  readonly actor: Actor
  /** More facts for the audit log and the history. */
  readonly data?: Readonly<Record<string, unknown>>
}

/**
 * Takes the step that starts a payment. The caller must have checked that the withdrawal is approved and can be paid.
 */
export function takePaying(ctx: Ctx, tx: Tx, one: ReviewedWithdrawal, facts: StepFacts): Promise<Stepped> {
  const { actor, data = {} } = facts
  const at = ctx.now()
  const change = { payingBy: personOf(actor), payingAt: at }
  return takeStep(ctx, tx, one, { step: 'paying', at, actor, change, data })
}

interface Paid extends Paying {
  readonly reference: string
  /** When the payment was sent. If absent, now. */
  readonly paidAt?: Instant | undefined
  /** The amount that was sent, in the method's currency, if it differs from the amount to be paid. */
  readonly sentAmount?: Money | undefined
  readonly networkFee?: Money | undefined
}

/** Records the payment with its reference. The held amount leaves the user's account, and the fees go to the house. */
export async function markPaid(ctx: Ctx, { trx, ...paid }: Paid): Done<PaidRefusal> {
  return changeOwn<PaidRefusal>(ctx, { trx, staff: paid }, async (tx, one) => {
    const { methodId, createdAt } = one
    const network = networkOf((await findForms(tx, [methodId])).get(methodId) ?? [])
    const reference = readReference(network, paid.reference)
    if (!reference.ok) return reference
    const other = await findReference(tx, { methodId, reference: reference.value })
    if (other !== null) return refuse('reference_used', { params: { trx: other } })
    const at = ctx.now()
    const { paidAt: sentAt = at, sentAmount = null, networkFee = null, actor } = paid
    if (!canBeSentAt(sentAt, { createdAt, now: at })) return refuse('paid_at_invalid')
    const payment = { reference: reference.value, sentAt, sentAmount, networkFee }
    return ok(await takePaid(ctx, tx, one, { actor, payment }))
  })
}

/**
 * Whether a payment can have been sent at this time: not before its request and not in the future, both with a
 * tolerance of 5 min.
 */
export function canBeSentAt(
  sentAt: Instant,
  { createdAt, now }: { readonly createdAt: Instant; readonly now: Instant },
): boolean {
  return sentAt >= later(createdAt, -CLOCK_TOLERANCE_MS) && sentAt <= later(now, CLOCK_TOLERANCE_MS)
}

interface Payment {
  readonly reference: string
  readonly sentAt: Instant
  readonly sentAmount: Money | null
  readonly networkFee: Money | null
}

/**
 * Takes the step that records a payment. The caller must have checked that the state is `paying`, and that reference
 * and time are valid.
 */
export function takePaid(
  ctx: Ctx,
  tx: Tx,
  one: ReviewedWithdrawal,
  { actor, payment, data = {} }: StepFacts & { readonly payment: Payment },
): Promise<Stepped> {
  const at = ctx.now()
  const change = { ...payment, ...WITHOUT_PAYER, decidedAt: at }
  const transfers = closingTransfers(one, 'paid')
  const known = Object.fromEntries(Object.entries(payment).filter(([, value]) => value !== null))
  return takeStep(ctx, tx, one, { step: 'paid', at, actor, change, transfers, data: { ...texts(known), ...data } })
}

interface Reasoned extends Paying {
  readonly words: string
}

/** Records that a started payment was not sent. The withdrawal returns to the state `approved`. */
export async function markUnsent(
  ctx: Ctx,
  { trx, words, ...staff }: Reasoned,
): Done<OwnRefusal | 'words_needed' | 'in_payment_file'> {
  if (words.trim() === '') return refuse('words_needed')
  return changeOwn<OwnRefusal | 'in_payment_file'>(ctx, { trx, staff }, async (tx, one) => {
    // The bank may have received the payment with its file. So only the whole file can be marked as not sent.
    if (await isInPaymentFile(tx, one)) return refuse('in_payment_file')
    return ok(await takeUnsent(ctx, tx, one, { actor: staff.actor, reason: words.trim() }))
  })
}

/**
 * Takes the step that returns a started payment to `approved`. The caller must have checked that the state is `paying`,
 * and that no valid payment file contains it.
 */
export function takeUnsent(
  ctx: Ctx,
  tx: Tx,
  one: ReviewedWithdrawal,
  { actor, reason, data = {} }: StepFacts & { readonly reason: string },
): Promise<Stepped> {
  return takeStep(ctx, tx, one, { step: 'unsent', at: ctx.now(), actor, reason, change: WITHOUT_PAYER, data })
}

/** Records that the payment is not possible. The whole amount is returned to the user, who sees the reason. */
export async function markFailed(ctx: Ctx, { trx, words, ...staff }: Reasoned): Done<OwnRefusal | 'words_needed'> {
  if (words.trim() === '') return refuse('words_needed')
  return changeOwn(ctx, { trx, staff }, async (tx, one) => {
    const [at, said] = [ctx.now(), words.trim()]
    const change = { ...WITHOUT_PAYER, feedback: said, decidedAt: at }
    const transfers = closingTransfers(one, 'failed')
    await refuseLeaveOf(tx, one, { at, againAt: at })
    return ok(await takeStep(ctx, tx, one, { step: 'failed', at, actor: staff.actor, words: said, change, transfers }))
  })
}

/** Makes the actor the payer of a payment that another staff member started. Needs a reason. */
export async function takeOverPayment(
  ctx: Ctx,
  { trx, reason, ...staff }: Paying & { readonly reason: string },
): Done<'not_being_paid' | 'reason_needed'> {
  if (reason.trim() === '') return refuse('reason_needed')
  return changeWithdrawal<'not_being_paid'>(
    ctx,
    { trx, staff },
    {
      check: isBeingPaid,
      take: async (tx, one) => {
        const change = { payingBy: personOf(staff.actor) }
        const step = { step: 'taken_over', at: ctx.now(), actor: staff.actor, reason: reason.trim(), change } as const
        return ok(await takeStep(ctx, tx, one, step))
      },
    },
  )
}

const WITHOUT_PAYER = { payingBy: null, payingAt: null } as const

/** Runs a change that only the current payer of the withdrawal may make. */
function changeOwn<R extends string = never>(
  ctx: Ctx,
  { trx, staff }: { readonly trx: string; readonly staff: ByStaff },
  change: (tx: Tx, one: ReviewedWithdrawal) => Promise<Result<Stepped, R>>,
): Done<R | OwnRefusal> {
  return changeWithdrawal<R | OwnRefusal>(
    ctx,
    { trx, staff },
    {
      check: async (one, tx) => {
        const early = isBeingPaid(one)
        if (early !== null || one.payingBy === personOf(staff.actor)) return early
        return refuse('not_yours', { params: { who: await findPayer(tx, one) } })
      },
      take: change,
    },
  )
}

function isBeingPaid({ state }: ReviewedWithdrawal) {
  return state === 'paying' ? null : refuse('not_being_paid')
}

/**
 * Returns how an actor is stored as the payer of a withdrawal: by the staff id, or by the name of the operator at the
 * command line.
 */
export function personOf({ staffId, who }: Actor): string {
  return staffId ?? who
}

/** Converts amounts (bigint) to text, because JSON cannot hold them. */
function texts(facts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [name, typeof value === 'bigint' ? String(value) : value]),
  )
}
