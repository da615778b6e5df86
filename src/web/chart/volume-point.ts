import type { HistogramData, WhitespaceData } from 'lightweight-charts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import { secondsOf, volumeColour } from '#web/chart/chart-options.ts'
import type { Slot } from '#web/chart/with-holes.ts'
import { volumeUnit } from '#web/options/options.ts'

/** Returns the column of a bar's volume in the user's unit, or an empty point for a missing bar. */
export function volumePoint({ time, bar }: Slot, colours: ChartColours): HistogramData | WhitespaceData {
  if (bar === null) return { time: secondsOf(time) }
  const value = volumeUnit.get() === 'money' ? bar.volume * bar.close : bar.volume
  return { time: secondsOf(time), value, color: volumeColour(colours, bar.close >= bar.open) }
}
