import { type SettledFacts } from '#core/orders/order.ts'
import { decideSettlementPrice } from '#core/orders/rules/rule-1.ts'
import { decideByLine } from '#core/orders/rules/rule-2.ts'
import { type Settled, settleAgainstEntry, type SettlementPrice } from '#core/orders/settle-order.ts'
import { assert } from '#core/result.ts'

/** The functions that decide the results of orders under one version of the rules. */
export interface Rule {
  /** Decides an expiry by the prices that the log accepted. */
  readonly decideByTicks: typeof decideSettlementPrice
  /**
   * Decides an expiry by the numbered trades of a source. Null: the rule treats sources with and without numbers in the
   * same way.
   */
  readonly decideByLine: typeof decideByLine | null
  readonly settle: (order: SettledFacts, price: SettlementPrice) => Settled
}

/** The rules by version. A published rule never changes, so that its orders and receipts can still be checked. */
export const RULES: ReadonlyMap<number, Rule> = new Map([
  [1, { decideByTicks: decideSettlementPrice, decideByLine: null, settle: settleAgainstEntry }],
  [2, { decideByTicks: decideSettlementPrice, decideByLine, settle: settleAgainstEntry }],
])

/**
 * Settles an order by the version of the rules under which it was accepted. The function is pure: it sees only the
 * order's terms and the price, not the user, so it cannot treat two users differently. Throws for a version that this
 * program does not know.
 */
export function settleOrder(order: SettledFacts, price: SettlementPrice): Settled {
  const rule = RULES.get(order.ruleVersion)
  assert(rule, `the rules have a version ${order.ruleVersion}`)
  return rule.settle(order, price)
}
