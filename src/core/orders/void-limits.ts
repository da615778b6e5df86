/** 50 orders: the percentage of voids among fewer orders says too little. */
const MIN_ORDERS = 50
/** At most one of 200 orders (0.5 %) may be void. */
const ORDERS_PER_VOID = 200
const MIN_CHANCE = 1 / 1_000
/** Decimal places of the computed chance. */
const CHANCE_DIGITS = 12

/** The orders of a symbol in the last days, without orders whose source has a public history. */
export interface VoidCounts {
  readonly orders: number
  readonly voids: number
  /** Expiries whose void cost users more than the site, and expiries whose void cost the site more than users. */
  readonly againstUsers: number
  readonly againstSite: number
}

/** Whether a symbol accepts no further orders, because it had too many voids or its voids favour one side too much. */
export function hasTooManyVoids({ orders, voids, againstUsers, againstSite }: VoidCounts): boolean {
  const isLarge = orders >= MIN_ORDERS && voids * ORDERS_PER_VOID > orders
  return isLarge || chanceOfSplit(againstUsers, againstSite) < MIN_CHANCE
}

/**
 * The exact chance that a fair coin splits at least as unevenly as `one` to `other`, in either direction. 1 when there
 * is nothing to split.
 */
export function chanceOfSplit(one: number, other: number): number {
  const count = one + other
  let ways = 0n
  let waysOfSplit = 1n
  for (let at = 0; at <= Math.min(one, other); at += 1) {
    ways += waysOfSplit
    waysOfSplit = (waysOfSplit * BigInt(count - at)) / BigInt(at + 1)
  }
  const unit = 10n ** BigInt(CHANCE_DIGITS)
  return Math.min(1, Number((2n * ways * unit) >> BigInt(count)) / Number(unit))
}
