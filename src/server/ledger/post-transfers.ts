import { sql } from 'kysely'
import { type Transfer, netChanges } from '#core/ledger/transfer.ts'
import { assert } from '#core/result.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Tx } from '#server/platform/database/tables.ts'

/**
 * Posts transfers and updates the cached balances, in the caller's transaction. If a transfer with the same user, ref
 * and step was posted before, the transaction fails with a key violation. It also fails if an account would fall below
 * zero. Callers decide under the lock of the balance row, so either failure means a bug or a lost race. The function
 * never corrects such a failure silently.
 */
export async function postTransfers(tx: Tx, transfers: readonly Transfer[], now: Instant): Promise<void> {
  if (transfers.length === 0) return
  for (const transfer of transfers) {
    assert(transfer.amount > 0n, 'a transfer moves a positive amount')
    assert(transfer.from !== transfer.to, 'a transfer joins two accounts')
  }
  await tx
    .insertInto('transfer')
    .values(
      transfers.map((transfer) => ({
        user_id: transfer.userId,
        ref: transfer.ref,
        step: transfer.step,
        kind: transfer.kind,
        from_account: transfer.from,
        to_account: transfer.to,
        currency: transfer.currency,
        amount: transfer.amount,
        created_ms: now,
      })),
    )
    .execute()
  for (const [owner, own] of byOwner(transfers)) {
    const [userId = '', currency = ''] = owner.split(' ')
    const net = netChanges(own)
    const { numUpdatedRows } = await tx
      .updateTable('balance')
      .set({
        cash: sql`cash + ${net.cash}`,
        staked: sql`staked + ${net.staked}`,
        withdrawing: sql`withdrawing + ${net.withdrawing}`,
        credits: sql`credits + ${net.credits}`,
      })
      .where('user_id', '=', userId)
      .where('currency', '=', currency)
      .executeTakeFirst()
    assert(numUpdatedRows === 1n, 'every user has one balance row per currency')
  }
}

/**
 * Groups transfers by user and currency, sorted by both, so that two transactions always lock balance rows in the same
 * order.
 */
function byOwner(transfers: readonly Transfer[]): [string, Transfer[]][] {
  const groups = new Map<string, Transfer[]>()
  for (const transfer of transfers) {
    const owner = `${transfer.userId} ${transfer.currency}`
    groups.set(owner, [...(groups.get(owner) ?? []), transfer])
  }
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))
}
