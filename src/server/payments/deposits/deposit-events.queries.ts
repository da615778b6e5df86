import { type DepositState, type DepositStep, readDepositStep } from '#core/wallet/deposit-state.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Actor } from '#server/audit/record-action.ts'
import {
  addPaymentEvent,
  listPaymentEvents,
  type PaymentEvent,
} from '#server/payments/events/payment-events.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

export type DepositEvent = PaymentEvent<DepositStep>

interface NewEvent {
  readonly userId: string
  readonly id: string
  readonly step: DepositStep
  readonly state: DepositState
  readonly at: Instant
  readonly actor?: Actor | undefined
  readonly words?: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** Adds a step to the history of a deposit. The caller must hold the lock of the deposit, or have just inserted it. */
export async function addDepositEvent(tx: Tx, { actor, words = '', data = {}, ...event }: NewEvent): Promise<void> {
  await addPaymentEvent(tx, 'deposit', {
    ...event,
    staffId: actor?.staffId ?? null,
    who: actor?.who ?? '',
    words,
    data,
  })
}

/** Lists the steps of each of these deposits by its id, oldest first. */
export async function listDepositEvents(
  db: Db | Tx,
  deposits: readonly { readonly userId: string; readonly id: string }[],
): Promise<ReadonlyMap<string, DepositEvent[]>> {
  return await listPaymentEvents(db, deposits, { kind: 'deposit', readStep: readDepositStep })
}
