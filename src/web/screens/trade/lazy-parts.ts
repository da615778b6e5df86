// The parts of the trade screen whose code loads when they are needed, or soon after the first paint.

import { lazyComponent } from '#ui/lazy-component.ts'
import { preloadable } from '#ui/preloadable.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'

export const PriceChart = lazyComponent(async () => (await import('#web/chart/price-chart.tsx')).default)
const panes = () => import('#web/screens/trade/order-panes.ts')
export const OrderSheet = preloadable(async () => (await panes()).OrderSheet)
export const CountdownPanel = preloadable(async () => (await panes()).CountdownPanel)
export const ResultPanel = preloadable(async () => (await panes()).ResultPanel)
export const RecentTrades = lazyComponent(
  async () => (await import('#web/screens/trade/recent-trades.tsx')).RecentTrades,
)
export const TradeTabs = lazyComponent(async () => (await import('#web/screens/trade/wide-panes.ts')).TradeTabs)
export const OrderPanel = lazyComponent(async () => (await import('#web/screens/trade/wide-panes.ts')).OrderPanel)
export const OpenMarkets = lazyComponent(async () => (await import('#web/screens/trade/open-markets.tsx')).OpenMarkets)
export const MarketSheet = lazyComponent(async () => (await import('#web/screens/trade/market-sheet.tsx')).MarketSheet)
export const MarketPicker = lazyComponent(
  async () => (await import('#web/screens/trade/market-picker.tsx')).MarketPicker,
)
export const KeyHelp = lazyComponent(async () => {
  const [help] = await Promise.all([import('#web/screens/trade/key-help.tsx'), loadTexts('more')])
  return help.KeyHelp
})
