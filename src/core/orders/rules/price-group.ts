import type { SourceClass } from '#core/markets/source-class.ts'

/**
 * A group of orders of a symbol that a rule decides together: at each expiry, one price settles all of them. Rule 1 has
 * no groups.
 */
export interface PriceGroup {
  readonly rule: number
  /** The source of the entry prices of the orders. */
  readonly source: string
  /** The maximum age of the price that settles the orders. */
  readonly maxTickAgeMs: number
  readonly evidence: SourceClass
}

export function groupText({ rule, source, maxTickAgeMs, evidence }: PriceGroup): string {
  return `${rule} ${source} ${maxTickAgeMs} ${evidence}`
}
