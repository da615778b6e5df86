import type { DepositOut } from '#contract/deposits.ts'
import { money, moneyNumber } from '#core/money/money.ts'
import { toIso } from '#core/time/instant.ts'
import { arrivedText } from '#core/wallet/arrival-credit.ts'
import { rateNumber } from '#core/wallet/deposit-quote.ts'
import { depositUserStep } from '#core/wallet/deposit-state.ts'
import { type Arrival, arrivalsOf } from '#server/payments/deposits/arrivals.queries.ts'
import { type DepositEvent, listDepositEvents } from '#server/payments/deposits/deposit-events.queries.ts'
import type { ListedDeposit } from '#server/payments/deposits/deposits.queries.ts'
import { assert } from '#core/result.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/** Builds the deposits as their user sees them, with what arrived and the steps so far. */
export async function toDepositReplies(db: Db | Tx, deposits: readonly ListedDeposit[]): Promise<DepositOut[]> {
  const [arrivals, events] = [await arrivalsOf(db, deposits), await listDepositEvents(db, deposits)]
  return deposits.map((one) => toReply(one, arrivals.get(one.id) ?? [], events.get(one.id) ?? []))
}

export async function toDepositReply(db: Db | Tx, deposit: ListedDeposit): Promise<DepositOut> {
  const [reply] = await toDepositReplies(db, [deposit])
  assert(reply, 'one deposit has one reply')
  return reply
}

function toReply(deposit: ListedDeposit, arrivals: readonly Arrival[], events: readonly DepositEvent[]): DepositOut {
  const arrived = arrivals.filter(({ state }) => state !== 'gone').reduce((sum, { amount }) => sum + amount, 0n)
  return {
    trx: deposit.trx,
    status: deposit.status,
    created_at: toIso(deposit.createdAt),
    method: deposit.method,
    method_image: deposit.methodImage,
    currency: deposit.currency,
    amount: moneyNumber(deposit.amount),
    percent_charge: moneyNumber(deposit.percentCharge),
    fixed_charge: moneyNumber(deposit.fixedCharge),
    charge: moneyNumber(money(deposit.percentCharge + deposit.fixedCharge)),
    total: moneyNumber(deposit.total),
    rate: rateNumber(deposit.rate),
    credited: moneyNumber(deposit.credited),
    admin_feedback: deposit.feedback,
    state: deposit.state,
    quoted_until: deposit.quotedUntil === null ? null : toIso(deposit.quotedUntil),
    arrived: arrived === 0n ? null : arrivedText(arrived, deposit.currency),
    steps: events.flatMap(({ step, at }) => {
      const own = depositUserStep(step)
      return own === null ? [] : [{ step: own, at: toIso(at) }]
    }),
  }
}
