import type { MarketList, SymbolItem } from '#contract/markets.ts'
import { type MarketType, SYMBOL_IMAGE_PATH } from '#core/markets/market.ts'
import { moneyNumber, percentNumber } from '#core/money/money.ts'
import { priceNumber, volumeNumber } from '#core/money/price.ts'
import { DAY_MS, later } from '#core/time/instant.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'
import type { MarketParts } from '#server/market-data/catalogue/market-parts.ts'
import type { ListedSymbol } from '#server/market-data/catalogue/market-catalogue.ts'
import { allMarketHours, isSymbolOpen, marketStatus } from '#server/market-data/hours/market-status.ts'
import { favoritesOf, recentSymbolsOf, tradeStatusOf } from '#server/trading/market-list/markets.queries.ts'
import { changePercent } from '#server/market-data/ticks/day-stats.ts'
import type { DayStats } from '#server/market-data/ticks.ts'

/**
 * Loads the data with which the market and trade screens start. A visitor (`userId` null) has no favourites, and the
 * trade status is as for a user who may trade.
 */
export async function loadMarketList(
  { ctx, catalogue, ticks }: MarketParts,
  userId: string | null,
  { favoritesOnly, language }: { readonly favoritesOnly: boolean; readonly language: Language },
): Promise<MarketList> {
  const now = ctx.now()
  const favorites = userId === null ? new Set<number>() : await favoritesOf(ctx.db, userId)
  const mayTrade = userId === null ? { mayTrade: true, reason: '' } : await tradeStatusOf(ctx.db, userId)
  const hours = allMarketHours(catalogue, now)
  const closing = userId === null || favoritesOnly ? [] : await closingSymbols({ ctx, catalogue }, userId)
  const shown = favoritesOnly ? catalogue.symbols.filter(({ id }) => favorites.has(id)) : catalogue.symbols
  const hoursOf = (marketType: MarketType) => {
    const { opensAt = null, closesAt = null, reason = null } = hours.get(marketType) ?? {}
    // A manually closed market is also opened manually, so the calendar's times do not apply.
    if (catalogue.closures.has(marketType)) return { opens_at: null, closes_at: null, reason }
    return { opens_at: opensAt, closes_at: closesAt, reason }
  }
  return {
    trade_settings: catalogue.settings.map((setting) => ({
      id: setting.id,
      time: setting.seconds,
      unit: setting.unit,
      min_amount: moneyNumber(setting.minimum),
      max_amount: moneyNumber(setting.maximum),
      profit_percentage: percentNumber(setting.payout),
      changes: setting.changes.map(({ what, value, appliesAt }) => ({ what, value, applies_at: appliesAt })),
    })),
    prices: catalogue.quickAmounts.map((amount) => ({ amount: moneyNumber(amount) })),
    trading_profit: Math.max(0, ...catalogue.settings.map(({ payout }) => percentNumber(payout))),
    currencies: [
      ...shown.map((symbol) => ({
        ...describe(symbol, ticks.day(symbol.id)),
        isFavorite: favorites.has(symbol.id),
        is_open: isSymbolOpen(catalogue, symbol, now),
        has_record: hasRecord({ catalogue, ticks }, symbol),
      })),
      ...closing.map((symbol) => ({
        ...describe(symbol, ticks.day(symbol.id)),
        closed_reason: message('message.closing_symbol', language),
        isFavorite: favorites.has(symbol.id),
        is_open: false,
        has_record: hasRecord({ catalogue, ticks }, symbol),
      })),
    ],
    market_status: marketStatus(catalogue, now),
    market_hours: { crypto: hoursOf('crypto'), us_stocks: hoursOf('us_stocks'), us_fx: hoursOf('us_fx') },
    trade_status: mayTrade.mayTrade ? 1 : 0,
    trade_reason: mayTrade.reason,
    image_path: SYMBOL_IMAGE_PATH,
  }
}

/**
 * Finds the unlisted symbols on which the user has an open order, or had an order that ended within the last day. These
 * symbols accept no orders.
 */
async function closingSymbols(
  { ctx, catalogue }: Pick<MarketParts, 'ctx' | 'catalogue'>,
  userId: string,
): Promise<readonly ListedSymbol[]> {
  const listed = new Set(catalogue.symbols.map(({ id }) => id))
  const unlisted = catalogue.known.filter(({ id }) => !listed.has(id))
  if (unlisted.length === 0) return []
  const recent = await recentSymbolsOf(ctx.db, userId, later(ctx.now(), -DAY_MS))
  return unlisted.filter(({ id }) => recent.has(id))
}

/**
 * Whether the source of the newest price keeps a public record, or computes its prices. True while there is no price.
 */
function hasRecord({ catalogue, ticks }: Pick<MarketParts, 'catalogue' | 'ticks'>, { id }: ListedSymbol): boolean {
  const newest = ticks.latest(id)
  return newest === null || catalogue.evidenceOf(id, newest.source) !== 'none'
}

type Described = Omit<SymbolItem, 'isFavorite' | 'is_open' | 'has_record'>

function describe(symbol: ListedSymbol, day: DayStats | null): Described {
  const { decimals } = symbol
  return {
    id: symbol.id,
    name: symbol.name,
    symbol: symbol.code,
    product_id: symbol.productId,
    market_type: symbol.marketType,
    decimals,
    max_tick_age_ms: symbol.maxTickAgeMs,
    is_featured: symbol.isFeatured,
    image: symbol.image,
    color: symbol.color,
    closed_reason: symbol.closedReason,
    splits: symbol.splits.map(({ newShares, oldShares, effectiveAt }) => ({
      new_shares: newShares,
      old_shares: oldShares,
      applies_at: effectiveAt,
    })),
    ...describeDay(day, decimals),
  }
}

function describeDay(day: DayStats | null, decimals: number) {
  if (!day) {
    const opens = { open: null, open_hkt: null, open_utc: null }
    return { price: null, lastTickTime: null, change: null, ...opens, high: null, low: null, volume: null, spark: [] }
  }
  return {
    price: priceNumber(day.last, decimals),
    lastTickTime: day.time,
    change: changePercent(day),
    open: priceNumber(day.open, decimals),
    open_hkt: priceNumber(day.openOf.hkt, decimals),
    open_utc: priceNumber(day.openOf.utc, decimals),
    high: priceNumber(day.high, decimals),
    low: priceNumber(day.low, decimals),
    volume: volumeNumber(day.volume),
    spark: day.spark.map((price) => price && priceNumber(price, decimals)),
  }
}
