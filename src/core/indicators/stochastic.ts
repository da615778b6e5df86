import { mean, overLast } from '#core/indicators/averages.ts'
import { after, type PriceBar, type Rule } from '#core/indicators/rule.ts'

export interface Stochastic {
  readonly k: number
  readonly d: number
}

interface StochasticOptions {
  readonly n: number
  readonly smoothK: number
  readonly smoothD: number
}

/** Where the close is within the range of `n` bars, from 0 to 100: smoothed as %K, and %K smoothed again as %D. */
export function stochastic({ n, smoothK, smoothD }: StochasticOptions) {
  return after(after(place(n), overLast(smoothK, mean)), withMean(smoothD))
}

/**
 * The position of the close in the range of the last `n` bars: 0 is the low, 100 the high. 50 when low and high are
 * equal.
 */
function place(n: number) {
  const start: readonly PriceBar[] = []
  return {
    start,
    next: (before, bar) => {
      const bars = [...(before.length < n ? before : before.slice(1)), bar]
      if (bars.length < n) return [bars, null]
      const [low, high] = [Math.min(...bars.map((one) => one.low)), Math.max(...bars.map((one) => one.high))]
      return [bars, high === low ? 50 : (100 * (bar.close - low)) / (high - low)]
    },
  } satisfies Rule<PriceBar, typeof start, number>
}

function withMean(n: number) {
  const average = overLast(n, mean)
  return {
    start: average.start,
    next: (state, k) => {
      const [next, d] = average.next(state, k)
      return [next, d === null ? null : { k, d }]
    },
  } satisfies Rule<number, typeof average.start, Stochastic>
}
