import { money } from '#core/money/money.ts'
import { BUY } from '#core/orders/order.ts'
import type { OrderRequest } from '#server/trading/engine/engine.ts'
import { ONE_MINUTE } from '#test/support/market-fixtures.ts'

/** Builds an order request that the test markets accept: up, a stake of 100.00, on BTC for a minute. */
export function orderRequest(userId: string, clientOrderId: string, change: Partial<OrderRequest> = {}): OrderRequest {
  return {
    userId,
    clientOrderId,
    direction: BUY,
    tradeSettingId: ONE_MINUTE.id,
    stake: money(10_000n),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
    ...change,
  }
}
