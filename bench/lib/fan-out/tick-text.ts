import { quoteOf, tickMessage } from '#server/market-data/wire/tick-messages.ts'
import { drivenSymbols, drivenTick } from './driven-prices.ts'

/** 20: as many symbols as the clients of a fan-out watch. */
export const WATCHED_SYMBOLS = 20

const symbols = drivenSymbols(WATCHED_SYMBOLS)
let said = 0

/** Returns the next price in the app's format, cycling through the symbols. */
export function tickText(): string {
  const symbol = symbols[said % symbols.length]
  if (symbol === undefined) throw new Error('there are symbols')
  said += 1
  const tick = drivenTick(symbol.id, said)
  return JSON.stringify(tickMessage(symbol, quoteOf(tick, { open: tick.price })))
}
