import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'
import type { Deposit } from '#server/payments/deposits/deposits.queries.ts'
import { postTransfers } from '#server/ledger/post-transfers.ts'

/** Credits what a deposit was quoted, in the caller's transaction. The ledger takes this step once per deposit, ever. */
export async function creditDeposit(
  tx: Tx,
  { userId, id, credited }: Pick<Deposit, 'userId' | 'id' | 'credited'>,
  now: Instant,
): Promise<void> {
  const transfer = {
    userId,
    ref: id,
    step: 'deposit',
    kind: 'deposit',
    from: 'house:deposits',
    to: 'cash',
    currency: BASE_CURRENCY,
    amount: credited,
  } as const
  await postTransfers(tx, [transfer], now)
}
