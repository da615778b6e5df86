import type { OwnTrade } from '#contract/trades.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { getAccount } from '#web/session/account.ts'
import { outcomeOf } from '#web/receipts/order-text.ts'

/** Converts the settled orders of a symbol to marks on the chart. */
export function tradeMarks(trades: readonly OwnTrade[], symbol: string): ChartTrade[] {
  return trades
    .filter((trade) => trade.symbol === symbol && trade.result !== 0)
    .map((trade) => ({
      id: trade.id,
      direction: trade.high_low,
      entryPrice: trade.price_was,
      openedAt: Date.parse(trade.opened_at),
      expiresAt: Date.parse(trade.expires_at),
      exitPrice: trade.post_trade_price,
      outcome: outcomeOf(trade),
    }))
}

/** Converts a listed order to the result that its panel shows, with the current balance of its account. */
export function resultOf(trade: OwnTrade, balance: Money): OrderResult {
  return {
    id: trade.id,
    trx: trade.trx,
    clientOrderId: trade.clientOrderId,
    crypto: { name: trade.symbol, symbol: trade.symbol, market_type: trade.market_type },
    high_low: trade.high_low,
    price_was: trade.price_was,
    post_trade_price: trade.post_trade_price,
    amount: trade.amount,
    result: trade.result === 0 ? 3 : trade.result,
    result_amount: trade.result_amount ?? 0,
    user_balance: Number(moneyText(balance)),
    account: getAccount(),
    ...(trade.void_reason !== null && { void_reason: trade.void_reason }),
  }
}
