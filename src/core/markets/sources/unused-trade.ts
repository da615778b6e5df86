/**
 * Why a reported trade makes no price. Adapters decide the first five reasons, the arbiter of a symbol the others. Each
 * unused trade is counted under one of these names: on the dashboard, in `feeds:check` and in the metrics.
 */
export const UNUSED_TRADE_REASONS = [
  /** A field is missing, has the wrong type or is outside its range. */
  'unreadable',
  /** The adapter did not subscribe to the symbol. */
  'not_followed',
  /** The provider's condition code says that the trade does not show the market's current price. */
  'condition',
  /** A condition code that no public table lists. */
  'unknown_condition',
  /** Another message reported the same trade before. */
  'repeated',
  /** Its time is ahead of our clock by more than the tolerance. */
  'ahead',
  /** Its time is further in the past than the tolerance. */
  'late',
  /** Its time is before that of the source's previous trade. */
  'out_of_order',
  /** Its time is outside the session of its market. */
  'outside_session',
  /** Its price was far from the prices around it, and no other trade confirmed it. */
  'spike',
  /** The trade arrived while the two sources of the symbol contradicted each other. */
  'divergence',
] as const

export type UnusedTradeReason = (typeof UNUSED_TRADE_REASONS)[number]

/** How many reported trades made no price, by reason. A reason that is absent did not occur. */
export type UnusedTradeCounts = Partial<Record<UnusedTradeReason, number>>

/** Counts one more trade. */
export function countUnused(counts: UnusedTradeCounts, reason: UnusedTradeReason): void {
  counts[reason] = (counts[reason] ?? 0) + 1
}

/** Adds up counts by reason. */
export function addUnused(all: Iterable<Readonly<UnusedTradeCounts>>): UnusedTradeCounts {
  const total: UnusedTradeCounts = {}
  for (const counts of all) {
    for (const reason of UNUSED_TRADE_REASONS) {
      const count = counts[reason]
      if (count !== undefined) total[reason] = (total[reason] ?? 0) + count
    }
  }
  return total
}
