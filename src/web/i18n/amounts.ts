import { type Money, money, parseMoney, ZERO } from '#core/money/money.ts'
import { assert } from '#core/result.ts'

/** Converts an amount from a reply, a JSON number with at most two decimals, to exact money. Losses are negative. */
export function moneyOf(wire: number): Money {
  const amount = parseMoney(Math.abs(wire).toFixed(2))
  assert(amount !== null, `not an amount: ${wire}`)
  return wire < 0 ? money(ZERO - amount) : amount
}

/** Formats a price from a reply with four decimals, or more if the symbol needs them. */
export function priceTextOf(wire: number, decimals: number): string {
  return wire.toFixed(Math.max(4, decimals))
}
