import { sql } from 'kysely'
import { readDecidedResult } from '#core/orders/order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { findReading } from '#server/proof/records/record-checks.queries.ts'
import type { OrderKey } from '#server/proof/receipts/order-rows.queries.ts'
import { BATCH_SPAN_MS, sweepStart } from '#server/proof/receipts/receipt-batch.queries.ts'

/** Lists the orders whose missed amount was paid and whose amended receipt is missing, oldest payment first. */
export async function listWithoutReceipt(db: Db, now: Instant): Promise<OrderKey[]> {
  const since = await sweepStart(db, 'amended', now)
  const { rows } = await sql<{ user_id: string; order_id: string }>`
    select m.user_id, m.order_id from made_good m
    where m.paid_ms >= ${since}::int8 and not exists (
      select from receipt_batch b where b.kind in ('amended', 'practice_amended') and b.last_ms >= m.paid_ms
        and b.last_ms <= m.paid_ms + ${BATCH_SPAN_MS}::int8 and position(uuid_send(m.order_id) in b.keys) > 0)
    order by m.paid_ms, m.order_id`.execute(db)
  return rows.map((row) => ({ userId: row.user_id, orderId: row.order_id }))
}

/** Returns when the missed amount of an order was paid. Null without a payment. */
export async function amendedAt(db: Db, orderId: string): Promise<number | null> {
  const row = await db.selectFrom('made_good').select('paid_ms').where('order_id', '=', orderId).executeTakeFirst()
  return row === undefined || row.paid_ms === null ? null : Number(row.paid_ms)
}

/** Reads the payments for orders, in the order of the keys. */
export async function readAmendments(db: Db, keys: readonly OrderKey[]) {
  const rows = await db
    .selectFrom('made_good')
    .selectAll()
    .where(
      'order_id',
      'in',
      keys.map(({ orderId }) => orderId),
    )
    .execute()
  const byId = new Map(rows.map((row) => [row.order_id, row]))
  return await Promise.all(
    keys.map(async ({ orderId }) => {
      const row = byId.get(orderId)
      if (row === undefined || row.paid_ms === null) throw new Error(`nothing was paid for the order ${orderId}`)
      return {
        result: readDecidedResult(row.result),
        paidAt: instant(row.paid_ms),
        reading: await findReading(db, row),
      }
    }),
  )
}
