/** The panes beside the chart on larger screens. Phones do not load them. */
export { TradeTabs } from '#web/screens/trade/trade-tabs.tsx'
export { OrderPanel } from '#web/screens/trade/order-panel.tsx'
