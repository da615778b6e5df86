/** The hit rate of orders, and the rate that they needed to break even. Rates are from 0 to 1. */
export interface HitRate {
  /** Wins ÷ (wins + losses). */
  readonly rate: number
  /** The 95 % range of the rate (Wilson). */
  readonly low: number
  readonly high: number
  /** Stakes of wins ÷ stakes of wins and losses. */
  readonly byStake: number
  /** Σ stake ÷ Σ stake × (1 + payout): the rate at which these orders break even. */
  readonly breakEven: number
}

/** Sums over decided orders. Draws and void orders decide nothing. */
export interface DecidedOrders {
  readonly wins: number
  readonly losses: number
  readonly wonStakes: bigint
  readonly stakes: bigint
  /** Σ stake × (10,000 + payout in basis points). */
  readonly returns: bigint
}

/** The quantile of the normal distribution for a range of 95 %. */
const Z = 1.959963984540054
const WHOLE_BP = 10_000n

/**
 * Computes the rates of decided orders. Returns null without orders, so that no rate is shown without its break-even
 * rate.
 */
export function hitRate({ wins, losses, wonStakes, stakes, returns }: DecidedOrders): HitRate | null {
  const decided = wins + losses
  if (decided === 0 || stakes === 0n) return null
  return {
    rate: wins / decided,
    ...wilsonRange(wins, decided),
    byStake: Number(wonStakes) / Number(stakes),
    breakEven: Number(stakes * WHOLE_BP) / Number(returns),
  }
}

function wilsonRange(wins: number, decided: number): Pick<HitRate, 'low' | 'high'> {
  const rate = wins / decided
  const square = (Z * Z) / decided
  const middle = rate + square / 2
  const reach = Z * Math.sqrt((rate * (1 - rate)) / decided + square / (4 * decided))
  return {
    low: Math.max(0, (middle - reach) / (1 + square)),
    high: Math.min(1, (middle + reach) / (1 + square)),
  }
}

/** The sentences about a rate: too few orders, chance, or right often enough while the larger stakes lost. */
export type RateSentence = 'few' | 'chance' | 'stakes' | 'past'

const MIN_DECIDED = 30

/**
 * Chooses the sentences about a rate. The last sentence is always `past`: past results say nothing about the next
 * order.
 */
export function rateSentences(
  { rate, low, high, breakEven }: Pick<HitRate, 'rate' | 'low' | 'high' | 'breakEven'>,
  { decided, net }: { readonly decided: number; readonly net: number },
): readonly RateSentence[] {
  if (decided < MIN_DECIDED) return ['few', 'past']
  const isChance = low <= breakEven && breakEven <= high
  const isByStakes = rate > breakEven && net < 0
  return [...(isChance ? (['chance'] as const) : []), ...(isByStakes ? (['stakes'] as const) : []), 'past']
}
