import { groupedNumber } from '#ui/format.ts'
import { priceTextOf } from '#web/i18n/amounts.ts'

/**
 * Formats a price from its integer form in the tick log: 9400012 with 2 decimals is "94,000.1200", as on all screens.
 */
export function priceOf(units: number, decimals: number): string {
  return groupedNumber(priceTextOf(units / 10 ** decimals, decimals))
}
