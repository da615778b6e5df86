import { type Transfer, transfer } from '#core/ledger/transfer.ts'
import type { Money } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'
import { arrivedOf, creditArrival } from '#core/wallet/arrival-credit.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'
import { insertArrival } from '#server/payments/deposits/arrivals.queries.ts'
import { addDepositEvent } from '#server/payments/deposits/deposit-events.queries.ts'
import type { Deposit } from '#server/payments/deposits/deposits.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/**
 * Credits a deposit of the demo's own gateway in the caller's transaction. The demo's virtual money always arrives
 * in full. The caller has just inserted the deposit.
 */
export async function creditDeposit(
  ctx: Pick<Ctx, 'newId'>,
  tx: Tx,
  deposit: Omit<Deposit, 'fields' | 'files' | 'clientRequestId' | 'fingerprint'>,
  now: Instant,
): Promise<void> {
  const { userId, id: depositId, trx, currency, rate } = deposit
  const amount = arrivedOf(deposit.total)
  const { credited, charge } = creditArrival(deposit, 0n, { amount, rate })
  const id = ctx.newId()
  await insertArrival(tx, {
    id,
    currency,
    amount,
    userId,
    depositId,
    rate,
    credited,
    charge,
    gatewayId: deposit.gatewayId,
    source: 'demo',
    externalId: depositId,
    reference: trx,
    seenAt: now,
    confirmedAt: now,
    createdAt: now,
    creditedAt: now,
    state: 'credited',
    takesTwo: false,
  })
  await postTransfers(tx, arrivalTransfers({ userId, id, credited, charge }), now)
  await addDepositEvent(tx, { userId, id: depositId, step: 'credited', state: 'credited', at: now })
}

/** Builds the transfers of a credited arrival: the credit to the user, and the charge to the house. */
export function arrivalTransfers({
  userId,
  id: ref,
  credited,
  charge,
}: {
  readonly userId: string
  readonly id: string
  readonly credited: Money
  readonly charge: Money
}): Transfer[] {
  return [
    ...(credited > 0n ? [transfer('deposit', { userId, ref, amount: credited })] : []),
    ...(charge > 0n ? [transfer('deposit_fee', { userId, ref, amount: charge })] : []),
  ]
}
