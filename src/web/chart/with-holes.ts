import { nextSession } from '#core/markets/calendar/sessions.ts'
import type { MarketType } from '#core/markets/market.ts'
import { instant } from '#core/time/instant.ts'
import type { Bar } from '#web/chart/bar.ts'

/** A slot on the axis of a candle chart: a bar, or the time of a missing bar. */
export interface Slot {
  readonly time: number
  readonly bar: Bar | null
}

/** The maximum number of slots of one hole. The rest of a longer hole is left out. */
const MAX_HOLE = 300

/**
 * Adds an empty slot for each bar that is missing while its market was open: the prices were missed, or there were
 * none. Nights, weekends and holidays take no slots.
 */
export function withHoles(bars: readonly Bar[], marketType: MarketType, stepMs: number): Slot[] {
  return bars.flatMap((bar, at) => {
    const before = bars[at - 1]
    const holes = before === undefined ? [] : openTimes(before.time + stepMs, bar.time, marketType, stepMs)
    return [...holes.map((time) => ({ time, bar: null })), { time: bar.time, bar }]
  })
}

/** Returns the bar times from `from` to before `until` at which the market was open, at most 300. */
export function openTimes(from: number, until: number, marketType: MarketType, stepMs: number): number[] {
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
