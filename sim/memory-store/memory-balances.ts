import { currencyOf } from '#core/ledger/transfer.ts'
import type { MemoryTable, StoredRow } from './memory-table.ts'
import type { MemoryTransaction } from './memory-transaction.ts'
import type { Row } from './specs.ts'

export interface LockedBalance {
  readonly table: MemoryTable
  readonly stored: StoredRow
  /** The content of the row at the moment when it was locked. */
  readonly row: Row
}

/** Locks the balance rows of these users in id order. Users without a balance are left out. */
export async function lockBalances(
  tx: MemoryTransaction,
  orders: readonly { readonly userId: string }[],
): Promise<Map<string, LockedBalance>> {
  const table = tx.table('balance')
  const locked = new Map<string, LockedBalance>()
  for (const userId of [...new Set(orders.map((order) => order.userId))].toSorted()) {
    const stored = findBalance(tx, userId)
    if (stored === undefined) continue
    await tx.lock(table, stored)
    const row = tx.see(stored)
    if (row !== null) locked.set(userId, { table, stored, row })
  }
  return locked
}

/** The row of a user's balance; undefined when there is none. */
export function findBalance(tx: MemoryTransaction, userId: string): StoredRow | undefined {
  return tx
    .table('balance')
    .having(`${userId}|${currencyOf(userId)}|`)
    .find((one) => tx.see(one) !== null)
}
