import { wilder } from '#core/indicators/averages.ts'
import type { PriceBar, Rule } from '#core/indicators/rule.ts'

/** Wilder's average of true ranges: the height of a bar, including the jump from the previous close. */
export function averageTrueRange(n: number) {
  const average = wilder(n)
  const start = { close: null as number | null, ranges: average.start }
  return {
    start,
    next: ({ close, ranges }, bar) => {
      if (close === null) return [{ close: bar.close, ranges }, null]
      const range = Math.max(bar.high, close) - Math.min(bar.low, close)
      const [rangesAfter, value] = average.next(ranges, range)
      return [{ close: bar.close, ranges: rangesAfter }, value]
    },
  } satisfies Rule<PriceBar, typeof start, number>
}
