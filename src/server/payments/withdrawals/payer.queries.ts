import { listWithdrawalEvents } from '#server/payments/withdrawals/withdrawal-events.queries.ts'
import type { Withdrawal } from '#server/payments/withdrawals/withdrawals.queries.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * Returns the name of the staff member who pays a withdrawal now: the member who started the payment, or who took it
 * over last.
 */
export async function findPayer(db: Db | Tx, withdrawal: Pick<Withdrawal, 'userId' | 'id'>): Promise<string> {
  const events = (await listWithdrawalEvents(db, [withdrawal])).get(withdrawal.id) ?? []
  return events.findLast(({ step }) => step === 'paying' || step === 'taken_over')?.who ?? ''
}

/** Finds the withdrawal of a method that was paid with this reference. */
export async function findReference(
  tx: Tx,
  { methodId, reference }: { readonly methodId: number; readonly reference: string },
): Promise<string | null> {
  const row = await tx
    .selectFrom('withdrawal')
    .select('trx')
    .where('gateway_id', '=', methodId)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.trx ?? null
}

/** Returns whether a payment file that is not void contains the withdrawal. */
export async function isInPaymentFile(tx: Tx, { userId, id }: Pick<Withdrawal, 'userId' | 'id'>): Promise<boolean> {
  const row = await tx
    .selectFrom('payment_file_line as l')
    .innerJoin('payment_file as f', 'f.id', 'l.file_id')
    .select('f.id')
    .where('l.user_id', '=', userId)
    .where('l.withdrawal_id', '=', id)
    .where('f.voided_ms', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
