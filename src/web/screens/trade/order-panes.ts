/** What an order needs on phones, from its form to its result: fetched once the chart is there. */
export { CountdownPanel } from '#web/screens/trade/countdown-panel.tsx'
export { OrderSheet } from '#web/screens/trade/order-sheet.tsx'
export { ResultPanel } from '#web/screens/trade/result-panel.tsx'
