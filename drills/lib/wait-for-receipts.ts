import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '#server/platform/database/tables.ts'

const ID_BYTES = 16
/** 2 minutes: the receipts of a killed server are backfilled once a minute. */
const MAX_RECEIPT_WAIT_MS = 120_000

/** Returns the ids of all orders with a receipt of this kind. A batch lists user and order ids, 16 bytes each. */
export async function ordersWithReceipt(db: Db, kind: 'accepted' | 'result'): Promise<ReadonlySet<string>> {
  const batches = await db.selectFrom('receipt_batch').select('keys').where('kind', '=', kind).execute()
  const ids = new Set<string>()
  for (const { keys } of batches) {
    for (let at = ID_BYTES; at < keys.length; at += 2 * ID_BYTES) {
      const hex = Buffer.from(keys.subarray(at, at + ID_BYTES)).toString('hex')
      ids.add(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'))
    }
  }
  return ids
}

/** Waits until every settled order has both receipts, at most two minutes. */
export async function waitForReceipts(db: Db): Promise<void> {
  const giveUpAt = Date.now() + MAX_RECEIPT_WAIT_MS
  for (;;) {
    const receiptSets = [await ordersWithReceipt(db, 'accepted'), await ordersWithReceipt(db, 'result')]
    const orders = await db.selectFrom('order_history').select('id').execute()
    if (orders.every(({ id }) => receiptSets.every((ids) => ids.has(id))) || Date.now() > giveUpAt) return
    await pause(1_000)
  }
}
