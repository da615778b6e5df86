/** What only larger screens show beside the chart; phones do not fetch it. */
export { Dock } from '#web/screens/trade/dock.tsx'
export { Ticket } from '#web/screens/trade/ticket.tsx'
