/** The components of an order on phones, from its form to its result, loaded after the chart. */
export { CountdownPanel } from '#web/screens/trade/countdown-panel.tsx'
export { OrderSheet } from '#web/screens/trade/order-sheet.tsx'
export { ResultPanel } from '#web/screens/trade/result-panel.tsx'
