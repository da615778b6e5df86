import type { MarketList, MarketStatus, SymbolItem } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { changeOf } from '#web/options/figures.ts'
import type { ChangeSince } from '#web/options/options.ts'
import { titleOf } from '#web/symbols/symbol-text.ts'

export const MARKET_TABS = ['all', 'top', 'favorites'] as const
export type MarketTab = (typeof MARKET_TABS)[number]

export type SortKey = 'price' | 'change'
export interface Sort {
  by: SortKey
  direction: 'ascending' | 'descending'
}

/** "Top" lists by change, highest first, until a column heading is pressed. The other tabs keep the server's order. */
const TOP_SORT: Sort = { by: 'change', direction: 'descending' }

/** Returns the sort order in use. */
export function sortInUse(tab: MarketTab, chosen: Sort | null): Sort | null {
  return chosen ?? (tab === 'top' ? TOP_SORT : null)
}

/**
 * Returns the next sort order after a press on a column heading: highest first, lowest first, then the usual order of
 * the tab.
 */
export function nextSort(chosen: Sort | null, by: SortKey): Sort | null {
  if (chosen?.by !== by) return { by, direction: 'descending' }
  return chosen.direction === 'descending' ? { by, direction: 'ascending' } : null
}

interface Choice {
  marketType: MarketType
  tab: MarketTab
  sort: Sort | null
  /** Start of the displayed changes: lists sort by the displayed values. */
  since?: ChangeSince
}

/** Searches the symbols of all markets by code, name or display name ("EUR/USD"). */
export function searchSymbols(symbols: readonly SymbolItem[], typed: string): SymbolItem[] {
  const wanted = compared(typed)
  return symbols.filter((item) =>
    [item.symbol, item.product_id, titleOf(item.symbol, item.market_type), item.name].some((text) =>
      compared(text).includes(wanted),
    ),
  )
}

/** Normalises a text for comparison: width and case, without blanks, hyphens, slashes and invisible characters. */
function compared(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Default_Ignorable_Code_Point}\s/-]/gu, '')
    .toLowerCase()
}

/**
 * Returns the sorted rows of a tab. Symbols without a figure come last in both directions. Symbols with equal figures
 * keep the server's order.
 */
export function rowsOf(symbols: readonly SymbolItem[], { marketType, tab, sort, since = '24h' }: Choice): SymbolItem[] {
  const listed = symbols.filter((item) => item.market_type === marketType && (tab !== 'favorites' || item.isFavorite))
  const order = sortInUse(tab, sort)
  if (order === null) return listed
  const figure = (item: SymbolItem) => (order.by === 'price' ? item.price : changeOf(item, since))
  return listed.toSorted((a, b) => compare(figure(a), figure(b), order.direction))
}

function compare(a: number | null, b: number | null, direction: Sort['direction']): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return direction === 'ascending' ? a - b : b - a
}

export function featuredOf(symbols: readonly SymbolItem[], marketType: MarketType): SymbolItem[] {
  return symbols.filter((item) => item.market_type === marketType && item.is_featured)
}

const SUGGESTED = 4

function weight(item: SymbolItem): number {
  return Number(item.isFavorite) * 2 + Number(item.is_featured)
}

/** Returns symbols of open markets to trade while `closed` is not open. Favorites and featured symbols come first. */
export function openInstead(
  symbols: readonly SymbolItem[],
  closed: Pick<SymbolItem, 'id'>,
  status: MarketStatus,
): SymbolItem[] {
  return symbols
    .filter((item) => item.id !== closed.id && status[item.market_type] && item.closed_reason === null)
    .toSorted((a, b) => weight(b) - weight(a))
    .slice(0, SUGGESTED)
}

/** Returns the list with one favorite changed, to show it before the server replies. */
export function withFavorite(list: MarketList, change: { id: number; isFavorite: boolean }): MarketList {
  const { id, isFavorite } = change
  return {
    ...list,
    currencies: list.currencies.map((item) => (item.id === id ? { ...item, isFavorite } : item)),
  }
}
