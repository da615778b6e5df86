import type { Rule } from '#core/indicators/rule.ts'

type Window = readonly number[]

/**
 * Computes a value from the last `n` numbers, as soon as there are `n` numbers. Each value is computed from the numbers
 * themselves: a running sum would collect rounding errors and would depend on its first number.
 */
export function overLast<V>(n: number, compute: (numbers: Window) => V): Rule<number, Window, V> {
  return {
    start: [],
    next: (before, number) => {
      const numbers = [...(before.length < n ? before : before.slice(1)), number]
      return [numbers, numbers.length < n ? null : compute(numbers)]
    },
  }
}

export function mean(numbers: Window): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

/** The mean with weights 1 to n. The newest number has the weight n. */
export function weightedMean(numbers: Window): number {
  const sum = numbers.reduce((total, number, at) => total + number * (at + 1), 0)
  return sum / ((numbers.length * (numbers.length + 1)) / 2)
}

/** The state of an average that begins with the mean of its first `n` numbers. */
export interface Smoothed {
  readonly count: number
  /** The sum while there are fewer than `n` numbers, then the average. */
  readonly value: number
}

/**
 * An average that each new number moves towards the number, by a fraction (`share`) of the distance between both. It
 * begins with the mean of the first `n` numbers.
 */
function smoothed(n: number, share: number): Rule<number, Smoothed, number> {
  return {
    start: { count: 0, value: 0 },
    next: ({ count, value }, number) => {
      if (count >= n) {
        const moved = value + (number - value) * share
        return [{ count, value: moved }, moved]
      }
      const sum = value + number
      if (count < n - 1) return [{ count: count + 1, value: sum }, null]
      return [{ count: n, value: sum / n }, sum / n]
    },
  }
}

/** The exponential moving average: each new number has the weight 2 / (n + 1). */
export function exponential(n: number): Rule<number, Smoothed, number> {
  return smoothed(n, 2 / (n + 1))
}

/** Wilder's average: each new number has the weight 1 / n. */
export function wilder(n: number): Rule<number, Smoothed, number> {
  return smoothed(n, 1 / n)
}
