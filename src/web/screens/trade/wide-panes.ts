/** The panes beside the chart on larger screens. Phones do not load them. */
export { Dock } from '#web/screens/trade/dock.tsx'
export { Ticket } from '#web/screens/trade/ticket.tsx'
