import { nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { instant } from '#core/time/instant.ts'
import type { Bar } from '#web/chart/bar.ts'

/** A place on the axis of a candle chart: a bar, or the time of one that there is none of. */
export interface Slot {
  readonly time: number
  readonly bar: Bar | null
}

/** The most places that one hole takes: of a longer one the rest is left out. */
const MAX_HOLE = 300

/**
 * Puts an empty place where a bar is missing although its market was open: prices were missed, or none were made. Nights,
 * weekends and holidays take no place.
 */
export function withHoles(bars: readonly Bar[], marketType: MarketType, stepMs: number): Slot[] {
  return bars.flatMap((bar, at) => {
    const before = bars[at - 1]
    const holes = before === undefined ? [] : openTimes(before.time + stepMs, bar.time, marketType, stepMs)
    return [...holes.map((time) => ({ time, bar: null })), { time: bar.time, bar }]
  })
}

/** The times of bars from one on and before another in which the market was open. */
function openTimes(from: number, until: number, marketType: MarketType, stepMs: number): number[] {
  const times: number[] = []
  for (let time = from; time < until && times.length < MAX_HOLE; ) {
    const { open } = nextSession(marketType, instant(time))
    if (open < time + stepMs) {
      times.push(time)
      time += stepMs
    } else time += Math.floor((open - time) / stepMs) * stepMs
  }
  return times
}
