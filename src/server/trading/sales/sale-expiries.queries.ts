import { sql } from 'kysely'
import type { Money } from '#core/money/money.ts'
import type { SaleOrder } from '#core/orders/sale/sale-rule.ts'
import type { Instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { ORDER_COLUMNS, type OrderRow, toSaleOrder } from '#server/trading/sales/sale-requests.queries.ts'

/** A sold order whose expiry has passed. */
export interface PassedOrder {
  readonly orderId: string
  readonly n: number
  readonly facts: SaleOrder
}

/**
 * Lists sold orders that expired between two instants and whose payment at the expiry is not stored yet, newest first.
 */
export async function listPassedOrders(db: Db, from: Instant, to: Instant, limit: number): Promise<PassedOrder[]> {
  const columns = ORDER_COLUMNS.filter((column) => column !== 'selling').map((column) => sql.ref(`h.${column}`))
  const { rows } = await sql<OrderRow & { n: number }>`
    select ${sql.join(columns)}, null as selling, e.n
    from sale_end e join order_history h on h.user_id = e.user_id and h.id = e.order_id
    where e.reason is null and e.decided_ms > ${from}::int8 - 3600000 and h.expires_ms between ${from}::int8 and ${to}::int8
      and not exists (select from sale_expiry k where k.order_id = e.order_id)
    order by h.expires_ms desc limit ${limit}::int4`.execute(db)
  return rows.flatMap((row) => {
    const facts = toSaleOrder(row)
    return facts === null ? [] : [{ orderId: row.id, n: row.n, facts }]
  })
}

/** Stores how much a sold order would have paid at its expiry. If an amount is stored already, it stays unchanged. */
export async function insertSaleExpiry(
  db: Db,
  { orderId, n }: PassedOrder,
  { payment, at }: { readonly payment: Money; readonly at: Instant },
): Promise<void> {
  await db
    .insertInto('sale_expiry')
    .values({ order_id: orderId, n, payment, noted_ms: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
