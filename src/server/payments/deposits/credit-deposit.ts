import { transfer } from '#core/ledger/transfer.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Deposit } from '#server/payments/deposits/deposits.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'

/**
 * Credits the quoted amount of a deposit in the caller's transaction. The ledger accepts this step only once per
 * deposit.
 */
export async function creditDeposit(
  tx: Tx,
  { userId, id, credited }: Pick<Deposit, 'userId' | 'id' | 'credited'>,
  now: Instant,
): Promise<void> {
  await postTransfers(tx, [transfer('deposit', { userId, ref: id, amount: credited })], now)
}
