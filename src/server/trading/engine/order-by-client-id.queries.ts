import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { readDirection } from '#core/orders/order.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { AcceptedOrder } from '#server/trading/engine/engine.ts'

/**
 * Finds the open or settled order that first used this client order id, with the facts of its first reply. Null when
 * there is none.
 */
export async function findByClientOrderId(
  db: Db,
  userId: string,
  clientOrderId: string,
): Promise<(AcceptedOrder & { tradeSettingId: number }) | null> {
  const columns = [
    'id',
    'trx',
    'client_order_id',
    'symbol_id',
    'trade_setting_id',
    'seconds',
    'direction',
    'stake',
    'profit_basis_points',
    'entry_seq',
    'entry_price',
    'entry_time_ms',
    'opened_ms',
    'expires_ms',
  ] as const
  const row = await db
    .selectFrom('open_order')
    .select(columns)
    .where('user_id', '=', userId)
    .where('client_order_id', '=', clientOrderId)
    .unionAll(
      db
        .selectFrom('order_history')
        .select(columns)
        .where('user_id', '=', userId)
        .where('client_order_id', '=', clientOrderId),
    )
    .executeTakeFirst()
  if (row === undefined) return null
  const balance = await db.selectFrom('balance').select('cash').where('user_id', '=', userId).executeTakeFirstOrThrow()
  return {
    orderId: row.id,
    trx: row.trx,
    clientOrderId: row.client_order_id,
    symbolId: row.symbol_id,
    tradeSettingId: row.trade_setting_id,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    payout: basisPoints(row.profit_basis_points),
    seconds: row.seconds,
    entrySeq: Number(row.entry_seq),
    entryPrice: price(row.entry_price),
    entryTime: instant(row.entry_time_ms),
    openedAt: instant(row.opened_ms),
    expiresAt: instant(row.expires_ms),
    balance: money(balance.cash),
  }
}
