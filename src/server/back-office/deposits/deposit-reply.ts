import type { DepositArrival, DepositRow } from '#contract/back-office/deposits.ts'
import { money, moneyNumber, type Money } from '#core/money/money.ts'
import { type Refusal, refuse } from '#core/result.ts'
import { toIso } from '#core/time/instant.ts'
import { arrivedOf, arrivedText } from '#core/wallet/arrival-credit.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import { arrivedFor } from '#server/payments/deposits/arrived.ts'
import {
  type DecidedBy,
  decidedByOf,
  type DecisionRefusal,
  findDecider,
  refuseDecided,
} from '#server/audit/deciders.ts'
import type { DecideRefusal } from '#server/payments/deposits/reject-deposit.ts'
import { depositHash } from '#server/payments/deposits/deposit-hash.ts'
import { CREDITED, PENDING } from '#server/payments/deposits/deposits.queries.ts'
import type { ReviewedDeposit } from '#server/payments/deposits/review.queries.ts'
import type { Db } from '#server/platform/database/tables.ts'

export function toDepositRow(
  deposit: ReviewedDeposit,
  { decidedBy, twoPeopleAbove }: { readonly decidedBy: DecidedBy; readonly twoPeopleAbove: Money },
): DepositRow {
  return {
    trx: deposit.trx,
    state: deposit.state,
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
    needs_two: needsTwo(deposit, twoPeopleAbove),
    has_due: arrivedFor(deposit).due.length > 0,
    quoted_until: deposit.quotedUntil === null ? null : toIso(deposit.quotedUntil),
  }
}

/** Whether the credit of what arrived takes two people. Before anything arrived, whether the quoted credit would. */
function needsTwo(deposit: ReviewedDeposit, twoPeopleAbove: Money): boolean {
  const { due, credits } = arrivedFor(deposit)
  return due.some(({ takesTwo }) => takesTwo) || (due.length > 0 ? credits : deposit.credited) > twoPeopleAbove
}

/** Sums up the arrivals of a deposit, and the credit that an approval would make now. */
export function toPreview(deposit: ReviewedDeposit, twoPeopleAbove: Money) {
  const { sum, credits, charges } = arrivedFor(deposit)
  return {
    asked: arrivedText(arrivedOf(deposit.total), deposit.currency),
    arrived: arrivedText(sum, deposit.currency),
    credits: moneyNumber(credits),
    charges: moneyNumber(charges),
    needs_two: needsTwo(deposit, twoPeopleAbove),
  }
}

/** The arrivals of a deposit, with what each credited or will credit. */
export function toArrivals(deposit: ReviewedDeposit): DepositArrival[] {
  const due = new Map(arrivedFor(deposit).due.map((one) => [one.id, one]))
  return deposit.arrivals.map((one) => ({
    id: one.id,
    amount: arrivedText(one.amount, one.currency),
    source: one.source,
    reference: one.reference,
    seen_at: toIso(one.seenAt),
    state: one.state,
    rate: rateNumber(one.rate ?? deposit.rate),
    credited: moneyNumber(one.credited ?? due.get(one.id)?.credited ?? money(0)),
    charge: moneyNumber(one.charge ?? due.get(one.id)?.charge ?? money(0)),
    takes_two: one.takesTwo,
  }))
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
