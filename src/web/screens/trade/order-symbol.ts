import type { MarketList, SymbolItem } from '#contract/markets.ts'
import type { OwnTrade } from '#contract/trades.ts'

/** What a row of an order shows of its symbol. */
export type OrderSymbol = Pick<SymbolItem, 'symbol' | 'market_type' | 'decimals' | 'color'> & { image?: string }

/**
 * The symbol of an order. One that the operator has taken off the list since is drawn from the order itself: what a user
 * has at stake never disappears.
 */
export function symbolOfOrder(list: MarketList, code: string, trades: readonly OwnTrade[] | null): OrderSymbol {
  const listed = list.currencies.find(({ symbol }) => symbol === code)
  if (listed) return listed
  const trade = trades?.find(({ symbol }) => symbol === code)
  return { symbol: code, market_type: trade?.market_type ?? 'crypto', decimals: trade?.decimals ?? 4, color: '' }
}
