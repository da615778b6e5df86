import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { moneyNumber, type Money } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { HOUR_MS, type Instant, toIso } from '#core/time/instant.ts'
import { utcText } from '#core/time/utc-text.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import { shortDetails } from '#core/wallet/short-details.ts'
import type { WithdrawalCheck } from '#core/wallet/withdrawal-checks.ts'
import { dueAt } from '#core/wallet/withdrawal-deadline.ts'
import type { WithdrawalState, WithdrawalStep } from '#core/wallet/withdrawal-state.ts'
import { refuseDecided } from '#server/audit/deciders.ts'
import { firstApprovers } from '#server/audit/dual-approval.ts'
import { movesOf } from '#server/back-office/withdrawals/review-facts.queries.ts'
import type { ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { listWithdrawalEvents, type WithdrawalEvent } from '#server/payments/withdrawals/withdrawal-events.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import { PENDING } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'

/** 1 h: if staff started a payment longer ago and it is not recorded as paid, it is shown as overdue. */
const OVERDUE_MS = HOUR_MS

/** The facts that a row shows but the withdrawal itself does not store. */
interface RowFacts {
  readonly events: ReadonlyMap<string, readonly WithdrawalEvent[]>
  /**
   * For each withdrawal with a first approval that waits for the second: the name of the first approver, by reference.
   */
  readonly firstBy: ReadonlyMap<string, string>
  readonly checks: ReadonlyMap<string, readonly WithdrawalCheck[]>
  readonly twoPeopleAbove: Money
  readonly now: Instant
}

export function toWithdrawalRow(
  one: ReviewedWithdrawal,
  { events, firstBy, checks, twoPeopleAbove, now }: RowFacts,
): WithdrawalRow {
  const own = events.get(one.id) ?? []
  const decided = lastOf(own, DECISIONS)
  return {
    trx: one.trx,
    state: one.state,
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
    first_by: one.state === 'requested' ? (firstBy.get(one.trx) ?? null) : firstOfTwo(own, decided),
    decided_by: decided === undefined || decided.who === '' ? null : decided.who,
    decided_at: decided === undefined ? null : toIso(decided.at),
    paying_by: one.state === 'paying' ? (lastOf(own, ['paying', 'taken_over'])?.who ?? null) : null,
    paying_since: one.payingAt === null ? null : toIso(one.payingAt),
    is_overdue: one.payingAt !== null && now - one.payingAt > OVERDUE_MS,
    paid_by: lastOf(own, ['paid'])?.who || null,
    reference: one.reference,
    due_at: one.status === PENDING ? toIso(dueAt(one.clockAt)) : null,
    needs_two: one.amount > twoPeopleAbove || one.confirmedBy === 'none',
    is_leave: one.leaveId !== null,
    is_above_principal: one.isAbovePrincipal,
    concerns: (checks.get(one.trx) ?? []).filter(({ passed }) => !passed).map(({ check }) => check),
  }
}

const DECISIONS: readonly WithdrawalStep[] = ['approved', 'rejected', 'cancelled', 'details_changed']

function lastOf(events: readonly WithdrawalEvent[], steps: readonly WithdrawalStep[]): WithdrawalEvent | undefined {
  const last = events.findLast(({ step }) => steps.includes(step))
  // If the user changed the payment details after an approval, the approval does not count. A payment without a
  // recorded approval counts as decided when it was paid.
  if (last?.step === 'details_changed') return undefined
  return last ?? (steps === DECISIONS ? events.find(({ step }) => step === 'paid') : undefined)
}

/** Returns the name of the first of two staff members who decided, or null when one decided alone. */
function firstOfTwo(events: readonly WithdrawalEvent[], decided: WithdrawalEvent | undefined): string | null {
  if (decided === undefined) return null
  const before = events[events.indexOf(decided) - 1]
  return before?.step === 'first_approval' || before?.step === 'first_rejection' ? before.who : null
}

/** Finds the history of each of these withdrawals, and the first approver of each that waits for a second. */
export async function historyOf(
  db: Db,
  withdrawals: readonly ReviewedWithdrawal[],
): Promise<Pick<RowFacts, 'events' | 'firstBy'>> {
  const waiting = withdrawals.filter(({ state }) => state === 'requested')
  const hashes = new Map(waiting.map((one) => [one.trx, withdrawalHash(one)]))
  return {
    events: await listWithdrawalEvents(db, withdrawals),
    firstBy: await firstApprovers(db, 'withdrawal', hashes),
  }
}

/** Returns the withdrawal's transfers and, while it is pending, the transfers that its payment would add. */
export async function loadTransfersReply(db: Db, withdrawal: ReviewedWithdrawal) {
  const posted = await movesOf(db, withdrawal)
  const coming = withdrawal.status === PENDING ? closingTransfers(withdrawal, 'paid') : []
  return [
    ...posted.map((move) => ({ ...move, amount: moneyNumber(move.amount), at: toIso(move.at) })),
    ...coming.map(({ kind, from, to, amount }) => ({ kind, from, to, amount: moneyNumber(amount), at: null })),
  ]
}

/** The refusal of the call that corresponds to the refusal `R` of a use case. */
type CallRefusal<R extends string> = R extends 'withdrawal_unknown'
  ? 'not_found'
  : R extends 'withdrawal_decided'
    ? 'already_decided'
    : R

/**
 * Converts a refusal of a use case to the refusal of the call. If the state does not allow the step, the text names the
 * staff member and the time of the step that led to the state.
 */
export async function toStepRefusal<R extends string>(
  db: Db,
  refused: Refusal<R>,
  withdrawal: ReviewedWithdrawal | null,
): Promise<Refusal<CallRefusal<R>>> {
  return (await explain(db, refused, withdrawal)) as Refusal<CallRefusal<R>>
}

/** The refusals which say that the state of the withdrawal does not allow the step. */
const BY_STATE: readonly string[] = ['withdrawal_decided', 'not_approved', 'not_being_paid', 'not_paid']

async function explain(
  db: Db,
  refused: Refusal<string>,
  withdrawal: ReviewedWithdrawal | null,
): Promise<Refusal<string>> {
  if (refused.refusal === 'withdrawal_unknown' || withdrawal === null) return refuse('not_found')
  if (!BY_STATE.includes(refused.refusal)) return refused
  const { id, state } = withdrawal
  const events = (await listWithdrawalEvents(db, [withdrawal])).get(id) ?? []
  // The step that led to a state has the name of the state. For `paying`, it can also be the step with which an owner
  // took the payment over.
  const last = events.findLast(({ step }) => step === state || (state === 'paying' && step === 'taken_over'))
  if (refused.refusal !== 'withdrawal_decided')
    return refuse(refused.refusal, { params: { variant: 'state', state: stateText(state, last) } })
  if (state === 'cancelled' || last === undefined) return refuseDecided('cancelled', null)
  if (last.who !== '' && (state === 'approved' || state === 'rejected')) return refuseDecided(state, last)
  return refuse('already_decided', { params: { variant: 'state', state: stateText(state, last) } })
}

function stateText(state: WithdrawalState, last: WithdrawalEvent | undefined): string {
  const who = last?.who || staffText('withdrawals.unknown_staff', {})
  return staffText(`withdrawals.now_${state}`, { who, time: last === undefined ? '' : utcText(last.at) })
}
