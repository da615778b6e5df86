import { setImmediate as breathe } from 'node:timers/promises'
import type { Candle } from '#core/markets/candle.ts'
import { DAY_MS, instant, type Instant } from '#core/time/instant.ts'

/** No history is returned from before 2010, where our calendar begins. */
export const PAST_BEGINS = instant(Date.UTC(2010, 0, 1))

export interface Page {
  /** The end of the requested candles, exclusive. */
  readonly until: Instant
  readonly limit: number
}

/** Candles of a day in ascending order, and roughly how many steps it took to compute them. */
export interface DayOfCandles {
  readonly candles: readonly Candle[]
  readonly cost: number
}

/** After this many steps, a few milliseconds, other work gets a turn. */
const STEPS_IN_A_ROW = 6_000

/** The last `limit` candles before `until`, ascending, computed a UTC day at a time from the newest day back. */
export async function candlesDayByDay(
  { until, limit }: Page,
  candlesOfDay: (day: number) => DayOfCandles,
): Promise<Candle[]> {
  const days: (readonly Candle[])[] = []
  let count = 0
  let steps = 0
  for (let day = Math.ceil(until / DAY_MS) - 1; day * DAY_MS >= PAST_BEGINS && count < limit; day -= 1) {
    const { candles, cost } = candlesOfDay(day)
    days.push(candles)
    count += candles.length
    steps += cost
    if (steps < STEPS_IN_A_ROW) continue
    await breathe()
    steps = 0
  }
  return limit > 0 ? days.toReversed().flat().slice(-limit) : []
}
