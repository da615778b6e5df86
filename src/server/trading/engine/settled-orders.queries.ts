import { type Selectable, sql } from 'kysely'
import { money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { readDirection, readResult } from '#core/orders/order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { Db, Tables } from '#server/platform/database/tables.ts'

/** The columns of the order history that the message about a settled order needs. */
export type SettledColumns = Pick<
  Selectable<Tables['order_history']>,
  | 'user_id'
  | 'id'
  | 'trx'
  | 'client_order_id'
  | 'symbol_id'
  | 'direction'
  | 'stake'
  | 'entry_price'
  | 'exit_price'
  | 'result'
  | 'result_amount'
  | 'balance_after'
  | 'void_reason'
  | 'result_number'
>

export interface OrderKey {
  readonly userId: string
  readonly orderId: string
}

/** Finds which of these orders are settled, and when they were settled. */
export async function findSettled(
  db: Db,
  keys: readonly OrderKey[],
): Promise<{ readonly order: SettledOrder; readonly settledAt: Instant }[]> {
  const { rows } = await sql<SettledColumns & { settled_ms: bigint }>`
    select o.user_id, o.id, o.trx, o.client_order_id, o.symbol_id, o.direction, o.stake, o.entry_price, o.exit_price,
      o.result, o.result_amount, o.balance_after, o.void_reason, o.settled_ms, o.result_number
    from unnest(${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ orderId }) => orderId)}::uuid[])
      as asked(user_id, id)
    join order_history o on o.user_id = asked.user_id and o.id = asked.id
    order by o.settled_ms, o.expires_ms, o.id`.execute(db)
  return rows.map((row) => ({ order: toSettledOrder(row), settledAt: instant(row.settled_ms) }))
}

export function toSettledOrder(row: SettledColumns): SettledOrder {
  return {
    userId: row.user_id,
    orderId: row.id,
    trx: row.trx,
    clientOrderId: row.client_order_id,
    symbolId: row.symbol_id,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    entryPrice: price(row.entry_price),
    exitPrice: row.exit_price === null ? null : price(row.exit_price),
    result: readResult(row.result),
    resultAmount: money(row.result_amount),
    balanceAfter: money(row.balance_after),
    voidReason: row.void_reason,
    resultNumber: row.result_number === null ? null : Number(row.result_number),
  }
}
