import { wilder } from '#core/indicators/averages.ts'
import type { Rule } from '#core/indicators/rule.ts'

/**
 * The relative strength index (RSI): average gain ÷ (average gain + average loss), in percent, with Wilder's averages.
 * 50 when the price did not move.
 */
export function relativeStrength(n: number) {
  const average = wilder(n)
  const start = { last: null as number | null, gains: average.start, losses: average.start }
  return {
    start,
    next: ({ last, gains, losses }, number) => {
      if (last === null) return [{ last: number, gains, losses }, null]
      const [gainsAfter, gain] = average.next(gains, Math.max(0, number - last))
      const [lossesAfter, loss] = average.next(losses, Math.max(0, last - number))
      const state = { last: number, gains: gainsAfter, losses: lossesAfter }
      if (gain === null || loss === null) return [state, null]
      return [state, gain + loss === 0 ? 50 : (100 * gain) / (gain + loss)]
    },
  } satisfies Rule<number, typeof start, number>
}
