import { exponential } from '#core/indicators/averages.ts'
import { after, type Rule } from '#core/indicators/rule.ts'

export interface Macd {
  readonly macd: number
  readonly signal: number
  readonly difference: number
}

interface MacdOptions {
  readonly fast: number
  readonly slow: number
  readonly signal: number
}

/**
 * The MACD line (the fast minus the slow exponential average), the average of this line as signal, and the difference
 * of line and signal.
 */
export function macd({ fast, slow, signal }: MacdOptions) {
  return after(spread(fast, slow), withSignal(signal))
}

function spread(fast: number, slow: number) {
  const [quick, calm] = [exponential(fast), exponential(slow)]
  return {
    start: [quick.start, calm.start] as const,
    next: ([one, two], number) => {
      const [oneAfter, high] = quick.next(one, number)
      const [twoAfter, low] = calm.next(two, number)
      return [[oneAfter, twoAfter] as const, high === null || low === null ? null : high - low]
    },
  } satisfies Rule<number, readonly [typeof quick.start, typeof calm.start], number>
}

function withSignal(n: number) {
  const average = exponential(n)
  return {
    start: average.start,
    next: (state, line) => {
      const [next, signal] = average.next(state, line)
      return [next, signal === null ? null : { macd: line, signal, difference: line - signal }]
    },
  } satisfies Rule<number, typeof average.start, Macd>
}
