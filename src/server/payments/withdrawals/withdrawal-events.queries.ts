import { readWithdrawalStep, type WithdrawalState, type WithdrawalStep } from '#core/wallet/withdrawal-state.ts'
import {
  addPaymentEvent,
  listPaymentEvents,
  type NewPaymentEvent,
  type PaymentEvent,
} from '#server/payments/events/payment-events.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export type WithdrawalEvent = PaymentEvent<WithdrawalStep>

/** Adds a step to the history of a withdrawal. The caller must hold the lock of the withdrawal. */
export async function addWithdrawalEvent(
  tx: Tx,
  event: NewPaymentEvent<WithdrawalStep, WithdrawalState>,
): Promise<void> {
  await addPaymentEvent(tx, 'withdrawal', event)
}

/** Lists the steps of each of these withdrawals by its id, oldest first. */
export async function listWithdrawalEvents(
  db: Db | Tx,
  withdrawals: readonly { readonly userId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, WithdrawalEvent[]>> {
  return await listPaymentEvents(db, withdrawals, { kind: 'withdrawal', readStep: readWithdrawalStep })
}
