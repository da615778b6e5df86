import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { moneyNumber, type Money } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { dueAt } from '#core/wallet/withdrawal-deadline.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import { shortDetails } from '#core/wallet/short-details.ts'
import type { WithdrawalCheck } from '#core/wallet/withdrawal-checks.ts'
import {
  type DecidedBy,
  decidedByOf,
  type DecisionRefusal,
  findDecider,
  refuseDecided,
} from '#server/audit/deciders.ts'
import { movesOf } from '#server/back-office/withdrawals/review-facts.queries.ts'
import type { CloseRefusal, RejectionRefusal } from '#server/payments/withdrawals/decide-withdrawal.ts'
import type { ReviewedWithdrawal } from '#server/payments/withdrawals/find-withdrawals.queries.ts'
import { withdrawalHash } from '#server/payments/withdrawals/withdrawal-hash.ts'
import { closingTransfers } from '#server/payments/withdrawals/withdrawal-transfers.ts'
import { PAID, PENDING } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** The facts of a row that the withdrawal itself does not hold. */
interface RowFacts {
  readonly decidedBy: DecidedBy
  readonly checks: ReadonlyMap<string, readonly WithdrawalCheck[]>
  readonly twoPeopleAbove: Money
}

export function toWithdrawalRow(
  one: ReviewedWithdrawal,
  { decidedBy, checks, twoPeopleAbove }: RowFacts,
): WithdrawalRow {
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
    due_at: one.status === PENDING ? toIso(dueAt(one.clockAt)) : null,
    needs_two: one.amount > twoPeopleAbove,
    is_leave: one.leaveId !== null,
    is_above_principal: one.isAbovePrincipal,
    concerns: (checks.get(one.trx) ?? []).filter(({ passed }) => !passed).map(({ check }) => check),
  }
}

/** Returns the withdrawal's transfers and, while it is pending, the transfers that an approval would add. */
export async function loadTransfersReply(db: Db, withdrawal: ReviewedWithdrawal) {
  const posted = await movesOf(db, withdrawal)
  const coming = withdrawal.status === PENDING ? closingTransfers(withdrawal, 'paid') : []
  return [
    ...posted.map((move) => ({ ...move, amount: moneyNumber(move.amount), at: toIso(move.at) })),
    ...coming.map(({ kind, from, to, amount }) => ({ kind, from, to, amount: moneyNumber(amount), at: null })),
  ]
}

/** Finds the approver and the decider of each of these withdrawals. */
export function withdrawalDeciders(db: Db, withdrawals: readonly ReviewedWithdrawal[]): Promise<DecidedBy> {
  const payments = withdrawals.map((one) => ({
    trx: one.trx,
    isWaiting: one.status === PENDING,
    hash: () => withdrawalHash(one),
  }))
  return decidedByOf(db, 'withdrawal', payments)
}

/** Converts the use case's refusals to those of the calls. */
export async function toDecisionRefusal(
  db: Db,
  { refusal, params }: Refusal<CloseRefusal>,
  trx: string,
): Promise<DecisionRefusal | Refusal<RejectionRefusal>> {
  switch (refusal) {
    case 'withdrawal_unknown':
      return refuse('not_found')
    case 'withdrawal_decided': {
      const by = await findDecider(db, trx)
      if (params?.['status'] === PAID) return refuseDecided('approved', by)
      // Decisions by staff are in the audit log. A cancellation by the user is not.
      return refuseDecided(by === null ? 'cancelled' : 'rejected', by)
    }
    case 'content_changed':
    case 'second_person_needed':
    case 'identity_not_needed':
    case 'reason_not_allowed':
    case 'again_needed':
    case 'not_approver':
    case 'not_independent':
    case 'change_pending':
      return params === undefined ? refuse(refusal) : refuse(refusal, { params })
  }
}

function stateOf({ status, isCancelled }: ReviewedWithdrawal): WithdrawalRow['state'] {
  if (isCancelled) return 'cancelled'
  return status === PAID ? 'paid' : status === PENDING ? 'waiting' : 'rejected'
}
