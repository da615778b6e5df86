import type { OwnTrade } from '#contract/trades.ts'
import { BUY, type Direction } from '#core/orders/order.ts'
import { lengthParts } from '#core/time/length-parts.ts'
import { groupedNumber, MINUS } from '#ui/format.ts'
import type { Outcome } from '#ui/pill.tsx'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'

export function directionText(direction: Direction): string {
  return t(direction === BUY ? 'trade.buy' : 'trade.sell')
}

/** Formats a duration: "5 min", "1 hour", "1 min 2 s". */
export function lengthText(seconds: number): string {
  return lengthParts(seconds)
    .map(({ unit, count }) => t(`trade.${unit}`, { count }))
    .join(' ')
}

/** Formats a duration: "5m", "1h", "1m 2s". */
export function shortLength(seconds: number): string {
  return lengthParts(seconds)
    .map(({ unit, count }) => t(`trade.short_${unit}`, { count }))
    .join(' ')
}

export type SettledOutcome = Extract<Outcome, 'won' | 'lost' | 'draw' | 'void' | 'sold'>

/** Returns the outcome of an order. A void is stored as a draw with a reason. */
export function outcomeOf(order: {
  result: OwnTrade['result']
  void_reason?: string | null | undefined
}): SettledOutcome {
  if (order.void_reason) return 'void'
  if (order.result === 5) return 'sold'
  return order.result === 1 ? 'won' : order.result === 2 ? 'lost' : 'draw'
}

/** Formats the distance of the price from the entry: "+15.4000". */
export function differenceText(difference: number, decimals: number): string {
  const text = groupedNumber(priceTextOf(Math.abs(difference), decimals))
  // Rounded to the symbol's decimals first, because binary fractions leave tiny remainders.
  if (!/[1-9]/.test(text)) return text
  return (difference > 0 ? '+' : MINUS) + text
}

/** Returns the colour of a winning or losing order. The colour does not depend on the direction of the price. */
export function toneOf(side: -1 | 0 | 1): string {
  return side > 0 ? 'text-up' : side < 0 ? 'text-down' : 'text-fg-2'
}
