import type { DepositRow } from '#contract/back-office/deposits.ts'
import { moneyNumber, type Money } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import {
  type DecidedBy,
  decidedByOf,
  type DecisionRefusal,
  findDecider,
  refuseDecided,
} from '#server/audit/deciders.ts'
import type { DecideRefusal } from '#server/payments/deposits/decide-deposit.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { CREDITED, type DepositStatus, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import type { ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

const STATE: Readonly<Record<DepositStatus, DepositRow['state']>> = { 1: 'credited', 2: 'waiting', 3: 'rejected' }

export function toDepositRow(
  deposit: ReviewedDeposit,
  { decidedBy, twoPeopleAbove }: { readonly decidedBy: DecidedBy; readonly twoPeopleAbove: Money },
): DepositRow {
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
    needs_two: deposit.credited > twoPeopleAbove,
  }
}

/** Finds, for each of these deposits, who gave the first approval and who decided. */
export function depositDeciders(db: Db, deposits: readonly ReviewedDeposit[]): Promise<DecidedBy> {
  const payments = deposits.map((one) => ({
    trx: one.trx,
    isWaiting: one.status === PENDING,
    hash: () => depositHash(one),
  }))
  return decidedByOf(db, 'deposit', payments)
}

/**
 * Converts a refusal of the use case to the refusal of the call, with the name of the staff member who decided before.
 */
export async function toDecisionRefusal(
  db: Db,
  { refusal, params }: Refusal<DecideRefusal>,
  trx: string,
): Promise<DecisionRefusal> {
  switch (refusal) {
    case 'deposit_unknown':
      return refuse('not_found')
    case 'deposit_decided': {
      const by = await findDecider(db, trx)
      return refuseDecided(params?.['status'] === CREDITED ? 'approved' : 'rejected', by)
    }
    case 'content_changed':
    case 'second_person_needed':
    case 'not_approver':
    case 'not_independent':
    case 'change_pending':
      return params === undefined ? refuse(refusal) : refuse(refusal, { params })
  }
}
