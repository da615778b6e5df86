import { type Money, money } from '#core/money/money.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** A payment that an order got in addition to its result, because a record contradicted the result. */
export interface PaidDifference {
  readonly amount: Money
  readonly at: Instant
}

/** Reads what was paid for orders whose result a record contradicted. The map is keyed by order. */
export async function madeGoodOf(db: Db, orderIds: readonly string[]): Promise<ReadonlyMap<string, PaidDifference>> {
  if (orderIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('made_good')
    .select(['order_id', 'amount', 'paid_ms'])
    .where('order_id', 'in', orderIds)
    .where('paid_ms', 'is not', null)
    .execute()
  return new Map(
    rows.flatMap((row) =>
      row.paid_ms === null ? [] : [[row.order_id, { amount: money(row.amount), at: instant(row.paid_ms) }]],
    ),
  )
}
