import { type Money, money, parseMoney, ZERO } from '#core/money/money.ts'
import { assert } from '#core/result.ts'

/** An amount as the wire has it, a JSON number with at most two decimals, as exact money. Losses are negative. */
export function moneyOf(wire: number): Money {
  const amount = parseMoney(Math.abs(wire).toFixed(2))
  assert(amount !== null, `not an amount: ${wire}`)
  return wire < 0 ? money(ZERO - amount) : amount
}

/** A price as the wire has it, as text with the digits it is shown with: four, or more where the symbol needs them. */
export function priceTextOf(wire: number, decimals: number): string {
  return wire.toFixed(Math.max(4, decimals))
}
