import { resultCode } from '#contract/wire.ts'
import type { OwnTrade } from '#contract/trades.ts'
import { moneyNumber, percentNumber } from '#core/money/money.ts'
import { priceNumber } from '#core/money/price.ts'
import { unitOfSeconds } from '#core/orders/order-unit.ts'
import { assert } from '#core/result.ts'
import { type Instant, later, SECOND_MS, toIso } from '#core/time/instant.ts'
import type { ListedSymbol, MarketCatalogue } from '#server/market-data/catalogue/market-catalogue.ts'
import type { OwnOrder } from '#server/trading/orders/own-orders.ts'

/**
 * The live stream of a source usually decides an expiry within 2 s. Later, the order is shown as waiting for the
 * source's public record.
 */
const STREAM_DECIDES_MS = 2 * SECOND_MS

/** Converts an order of the user to the format of the API. */
export function toOwnTrade(order: OwnOrder, catalogue: Pick<MarketCatalogue, 'byId'>, now: Instant): OwnTrade {
  const symbol = symbolOf(order, catalogue)
  const { outcome } = order
  return {
    id: order.id,
    trx: order.trx,
    clientOrderId: order.clientOrderId,
    symbol: symbol.code,
    decimals: symbol.decimals,
    market_type: symbol.marketType,
    high_low: order.direction,
    amount: moneyNumber(order.stake),
    profit_percentage: percentNumber(order.payout),
    trade_setting: { time: order.seconds, unit: unitOfSeconds(order.seconds) },
    opened_at: toIso(order.openedAt),
    expires_at: toIso(order.expiresAt),
    price_was: priceNumber(order.entryPrice, symbol.decimals),
    entry: { q: order.entrySeq, time_ms: order.entryTime },
    post_trade_price: outcome?.exit ? priceNumber(outcome.exit.price, symbol.decimals) : null,
    result: outcome ? resultCode(outcome.result) : 0,
    result_amount: outcome && moneyNumber(outcome.resultAmount),
    void_reason: outcome?.voidReason ?? null,
    rule_version: order.ruleVersion,
    awaiting_record: isAwaitingRecord(order, now) ? order.entrySource : null,
  }
}

function isAwaitingRecord({ outcome, evidence, expiresAt }: OwnOrder, now: Instant): boolean {
  return outcome === null && evidence === 'ids' && now >= later(expiresAt, STREAM_DECIDES_MS)
}

/** Returns the symbol of an order. Symbols are never deleted, so every order has one. */
export function symbolOf(
  { symbolId }: Pick<OwnOrder, 'symbolId'>,
  catalogue: Pick<MarketCatalogue, 'byId'>,
): ListedSymbol {
  const symbol = catalogue.byId(symbolId)
  assert(symbol, 'an order names a symbol we know')
  return symbol
}
