import { basisPoints, money } from '#core/money/money.ts'
import { price } from '#core/money/price.ts'
import { readDirection, type SettledFacts } from '#core/orders/order.ts'
import { instant } from '#core/time/instant.ts'

/** The columns of an order that decide its result together with the exit price. */
interface FactsRow {
  readonly rule_version: number
  readonly direction: number
  readonly stake: bigint
  readonly profit_basis_points: number
  readonly entry_price: bigint
  readonly expires_ms: bigint
}

/** Reads the facts of an order, open or settled. */
export function toSettledFacts(row: FactsRow): SettledFacts {
  return {
    ruleVersion: row.rule_version,
    direction: readDirection(row.direction),
    stake: money(row.stake),
    payout: basisPoints(row.profit_basis_points),
    entryPrice: price(row.entry_price),
    expiresAt: instant(row.expires_ms),
  }
}
