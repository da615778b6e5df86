import {
  defaultHorzScaleBehavior,
  type Mutable,
  type TickMarkWeightValue,
  type TimeScalePoint,
} from 'lightweight-charts'
import { clockOffsetMs } from '#web/i18n/clock.ts'

const MINUTE_MS = 60_000
/** The library's weights of tick marks. Marks of longer units get their labels first. */
const UNITS = [
  { ms: 720 * MINUTE_MS, weight: 33 },
  { ms: 360 * MINUTE_MS, weight: 32 },
  { ms: 180 * MINUTE_MS, weight: 31 },
  { ms: 60 * MINUTE_MS, weight: 30 },
  { ms: 30 * MINUTE_MS, weight: 22 },
  { ms: 5 * MINUTE_MS, weight: 21 },
  { ms: MINUTE_MS, weight: 20 },
  { ms: 1_000, weight: 10 },
]
const [DAY, MONTH, YEAR] = [50, 60, 70]

/**
 * A time axis whose days and hours begin by the chosen clock. The library's own axis uses UTC. Shifting the times is
 * not possible: the hour that repeats each autumn would occur twice, and the library refuses equal times.
 */
export class ClockScale extends defaultHorzScaleBehavior() {
  override fillWeightsForPoints(points: readonly Mutable<TimeScalePoint>[], startIndex: number): void {
    let before = startIndex > 0 ? shownMs(points[startIndex - 1]) : null
    for (let index = startIndex; index < points.length; index += 1) {
      const point = points[index]
      const shown = shownMs(point)
      // The first point has no predecessor, so the step after it serves as an estimate.
      const previous = before ?? 2 * shown - shownMs(points[index + 1] ?? point)
      if (point) point.timeWeight = weightOf(shown, previous) as TickMarkWeightValue
      before = shown
    }
  }
}

/** Returns the weight of the unit that begins between two times by the chosen clock. */
export function weightOf(shown: number, previous: number): number {
  const [day, dayBefore] = [new Date(shown), new Date(previous)]
  if (day.getUTCFullYear() !== dayBefore.getUTCFullYear()) return YEAR
  if (day.getUTCMonth() !== dayBefore.getUTCMonth()) return MONTH
  if (day.getUTCDate() !== dayBefore.getUTCDate()) return DAY
  return UNITS.find(({ ms }) => Math.floor(shown / ms) !== Math.floor(previous / ms))?.weight ?? 0
}

function shownMs(point: TimeScalePoint | undefined): number {
  const ms = typeof point?.originalTime === 'number' ? point.originalTime * 1000 : 0
  return ms + clockOffsetMs(ms)
}
