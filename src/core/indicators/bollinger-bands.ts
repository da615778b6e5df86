import { mean, overLast } from '#core/indicators/averages.ts'
import type { Rule } from '#core/indicators/rule.ts'

export interface Bands {
  readonly lower: number
  readonly middle: number
  readonly upper: number
}

/**
 * The mean of `n` numbers, and the bands `k` standard deviations below and above it. The variance is divided by n, not
 * n - 1.
 */
export function bollingerBands(n: number, k: number): Rule<number, readonly number[], Bands> {
  return overLast(n, (numbers) => {
    const middle = mean(numbers)
    const width = k * Math.sqrt(mean(numbers.map((number) => (number - middle) ** 2)))
    return { lower: middle - width, middle, upper: middle + width }
  })
}
