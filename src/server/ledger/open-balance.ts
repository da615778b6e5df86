import { currencyOf } from '#core/ledger/transfer.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/** Inserts the empty balance that every new user has. */
export async function openBalance(tx: Tx, userId: string): Promise<void> {
  await tx
    .insertInto('balance')
    .values({ user_id: userId, currency: currencyOf(userId), cash: 0, staked: 0, withdrawing: 0, credits: 0 })
    .execute()
}
