import type { SourceClass } from '#core/markets/source-class.ts'

/** Orders of a symbol that a rule decides together. They share one price at each expiry. Rule 1 has no groups. */
export interface PriceGroup {
  readonly rule: number
  /** The source on which the orders began. */
  readonly source: string
  /** The maximum age of the price that settles the orders. */
  readonly maxTickAgeMs: number
  readonly evidence: SourceClass
}

export function groupText({ rule, source, maxTickAgeMs, evidence }: PriceGroup): string {
  return `${rule} ${source} ${maxTickAgeMs} ${evidence}`
}
