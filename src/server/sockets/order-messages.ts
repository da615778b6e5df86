import { resultCode } from '#contract/wire.ts'
import type { NewTradeAccepted, NewTradeData, NewTradeRefused, TradeResultOut } from '#contract/live/app-socket.ts'
import { REFUSALS, type RefusalCode } from '#contract/refusals.ts'
import { type AccountName, isPracticeId } from '#core/accounts/practice.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { readMarketType } from '#core/markets/market.ts'
import { basisPoints, moneyNumber, percentNumber } from '#core/money/money.ts'
import { priceNumber } from '#core/money/price.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import { type Refusal, type Result, ok, refuse } from '#core/result.ts'
import { type Instant, instant, toIso } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/platform/runtime/events.ts'
import type { AcceptedOrder, OrderRefusal, OrderRequest } from '#server/trading/engine/engine.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { type Language, refusalText } from '#server/platform/i18n/messages.ts'

/** Converts a trade message to an order request. An unknown market type matches no symbol. */
export function toOrderRequest(
  data: NewTradeData,
  {
    receivedAt,
    ...user
  }: { readonly receivedAt: Instant } & Required<Pick<OrderRequest, 'userId' | 'owesConsent' | 'isPlaceRefused'>>,
  newId: () => string,
): Result<OrderRequest, OrderRefusal> {
  const marketType = data.marketType ? readMarketType(data.marketType) : null
  if (data.marketType && marketType === null) return refuse('symbol_unknown')
  const { strikePrice, maxSlippage, profitPercentage, time, validUntil } = data
  const isGuarded =
    strikePrice !== undefined && strikePrice !== null && maxSlippage !== undefined && maxSlippage !== null
  return ok({
    ...user,
    clientOrderId: data.clientOrderId ?? newId(),
    direction: data.type === 'buy' ? BUY : SELL,
    tradeSettingId: data.tradeSettingId,
    stake: data.amount,
    symbol: data.symbol,
    marketType,
    slippageGuard: isGuarded ? { shown: plainDecimal(strikePrice), maxDistance: plainDecimal(maxSlippage) } : null,
    shownSeconds: time ?? null,
    validUntil: validUntil ? instant(validUntil) : null,
    shownPayout: profitPercentage ? basisPoints(Math.round(profitPercentage * 100)) : null,
    receivedAt,
  })
}

const MAX_DECIMALS = 12

/** Formats a number without an exponent, because a price text has none. */
function plainDecimal(value: number | string): string {
  if (typeof value === 'string') return value
  const text = String(value)
  return text.includes('e') ? value.toFixed(MAX_DECIMALS) : text
}

export function acceptedMessage(order: AcceptedOrder, symbol: ListedSymbol, account: AccountName): NewTradeAccepted {
  const entry = priceNumber(order.entryPrice, symbol.decimals)
  return {
    type: 'newTrade',
    status: 'success',
    trade_price: entry,
    data: {
      id: order.orderId,
      trx: order.trx,
      clientOrderId: order.clientOrderId,
      symbol: symbol.code,
      high_low: order.direction,
      amount: moneyNumber(order.stake),
      profit_percentage: percentNumber(order.payout),
      time: order.seconds,
      opened_at: toIso(order.openedAt),
      expires_at: toIso(order.expiresAt),
      entry: { q: order.entrySeq, time_ms: order.entryTime },
      user_balance: moneyNumber(order.balance),
      account,
    },
  }
}

export function refusedMessage(
  { refusal, params, field }: Refusal<RefusalCode>,
  clientOrderId: string | null,
  language: Language,
): NewTradeRefused {
  const definition: { readonly status: number; readonly field?: string } = REFUSALS[refusal]
  const at = field ?? definition.field
  const named = { ...(at !== undefined && { name: at }), currency: BASE_CURRENCY, ...params }
  return {
    type: 'newTrade',
    status: 'error',
    message: refusalText(refusal, language, named),
    code: refusal,
    ...(at !== undefined && { field: at }),
    clientOrderId,
  }
}

export function resultMessage(order: SettledOrder, symbol: ListedSymbol): TradeResultOut {
  return {
    type: 'tradeResult',
    status: 'success',
    data: {
      id: order.orderId,
      trx: order.trx,
      clientOrderId: order.clientOrderId,
      crypto: { name: symbol.name, symbol: symbol.code, market_type: symbol.marketType },
      high_low: order.direction,
      price_was: priceNumber(order.entryPrice, symbol.decimals),
      post_trade_price: order.exitPrice === null ? null : priceNumber(order.exitPrice, symbol.decimals),
      amount: moneyNumber(order.stake),
      result: resultCode(order.result),
      result_amount: moneyNumber(order.resultAmount),
      user_balance: moneyNumber(order.balanceAfter),
      account: isPracticeId(order.userId) ? 'practice' : 'live',
      ...(order.voidReason !== null && { void_reason: order.voidReason }),
    },
  }
}
