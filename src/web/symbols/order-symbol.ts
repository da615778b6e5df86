import type { MarketList, SymbolItem } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'

/** The properties of a symbol that an order's row shows. */
export type OrderSymbol = Pick<SymbolItem, 'symbol' | 'market_type' | 'decimals' | 'color'> & { image?: string }

/**
 * Returns the symbol of an order. A symbol that is no longer listed is built from the data of the order, so that no
 * stake disappears from the screen.
 */
export function symbolOfOrder(
  list: Pick<MarketList, 'currencies'>,
  code: string,
  trades: readonly OwnTrade[] | null,
): OrderSymbol {
  const listed = list.currencies.find(({ symbol }) => symbol === code)
  if (listed) return listed
  const trade = trades?.find(({ symbol }) => symbol === code)
  return { symbol: code, market_type: trade?.market_type ?? 'crypto', decimals: trade?.decimals ?? 4, color: '' }
}
