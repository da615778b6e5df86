import { AreaSeries, CandlestickSeries, LineSeries } from 'lightweight-charts'
import { type AveragedBar, HEIKIN_ASHI } from '#core/indicators/heikin-ashi.ts'
import { createIndicator } from '#core/indicators/rule.ts'
import { type BarDrawing, type BarPoint, CANDLES, seriesLook } from '#web/chart/bar-drawing.ts'
import { type ChartColours, withAlpha } from '#web/chart/chart-colours.ts'
import { candleOptions, secondsOf } from '#web/chart/chart-options.ts'
import { OpenCloseBars, type OpenCloseOptions } from '#web/chart/open-close-bars.ts'
import type { Slot } from '#web/chart/with-holes.ts'
import type { ChartType } from '#core/charts/chart-type.ts'

/** Creates a drawing. Drawings can hold a state, so each chart needs its own. */
export function drawingOf(type: ChartType): BarDrawing {
  switch (type) {
    case 'candles':
      return CANDLES
    case 'hollow':
      return HOLLOW
    case 'bars':
      return BARS
    case 'line':
      return lineDrawing('line')
    case 'area':
      return lineDrawing('area')
    case 'heikin_ashi':
      return createHeikinAshi()
  }
}

const noAverage = () => null

/**
 * A candle is hollow when the bar closes above its opening price. Its colour compares the close with the previous
 * close.
 */
const HOLLOW: BarDrawing = {
  type: 'hollow',
  addTo: CANDLES.addTo,
  applyColours: CANDLES.applyColours,
  points: (slots, colours) => slots.map((_, index) => hollowAt(slots, index, colours)),
  newest: (slots, colours) => hollowAt(slots, slots.length - 1, colours),
  averagedAt: noAverage,
}

function hollowAt(slots: readonly Slot[], index: number, { up, down }: ChartColours): BarPoint {
  const slot = slots[index]
  if (!slot?.bar) return { time: secondsOf(slot?.time ?? 0) }
  const { open, high, low, close } = slot.bar
  const line = close >= (slots[index - 1]?.bar?.close ?? open) ? up : down
  const color = close > open ? 'rgba(0, 0, 0, 0)' : line
  return { time: secondsOf(slot.time), open, high, low, close, color, borderColor: line, wickColor: line }
}

const BARS: BarDrawing = {
  type: 'bars',
  addTo: (chart, decimals) => chart.addCustomSeries(new OpenCloseBars(), seriesLook(decimals)),
  applyColours: (series, { up, down }) => {
    // The library's type for all series does not include custom options.
    const options: Partial<OpenCloseOptions> = { up, down }
    series.applyOptions(options)
  },
  points: CANDLES.points,
  newest: CANDLES.newest,
  averagedAt: noAverage,
}

/** The closes as a line, interrupted where bars are missing. */
function lineDrawing(type: 'line' | 'area'): BarDrawing {
  const none = 'rgba(0, 0, 0, 0)'
  const noLine = type === 'line' ? { color: none } : { lineColor: none, topColor: none, bottomColor: none }
  const pointAt = (slots: readonly Slot[], index: number): BarPoint => {
    const slot = slots[index]
    if (!slot?.bar) return { time: secondsOf(slot?.time ?? 0) }
    // The library draws a line to the next bar, across empty slots, with the colour of the bar before them.
    const endsHere = slots[index + 1]?.bar === null
    return { time: secondsOf(slot.time), value: slot.bar.close, ...(endsHere && noLine) }
  }
  return {
    type,
    addTo: (chart, decimals) =>
      type === 'line'
        ? chart.addSeries(LineSeries, { ...seriesLook(decimals), lineWidth: 2 })
        : chart.addSeries(AreaSeries, { ...seriesLook(decimals), lineWidth: 2 }),
    applyColours: (series, { text, brand }) => {
      const fill = withAlpha(brand, 0.11)
      series.applyOptions(type === 'line' ? { color: text } : { lineColor: brand, topColor: fill, bottomColor: fill })
    },
    points: (slots) => slots.map((_, index) => pointAt(slots, index)),
    newest: (slots) => pointAt(slots, slots.length - 1),
    averagedAt: noAverage,
  }
}

function createHeikinAshi(): BarDrawing {
  let rule = createIndicator(HEIKIN_ASHI)
  let averaged: (AveragedBar | null)[] = []

  return {
    type: 'heikin_ashi',
    addTo: (chart, decimals) => chart.addSeries(CandlestickSeries, seriesLook(decimals)),
    applyColours: (series, colours) => series.applyOptions(candleOptions(colours)),
    points: (slots) => {
      rule = createIndicator(HEIKIN_ASHI)
      averaged = slots.map(({ bar }, index) => {
        if (bar === null) return null
        return index < slots.length - 1 ? rule.close(bar) : rule.peek(bar)
      })
      return slots.map((slot, index) => pointOf(slot, averaged[index] ?? null))
    },
    newest: (slots) => {
      const [before, last] = slots.slice(-2)
      const slot = last ?? before
      if (slot?.bar === undefined || slot.bar === null) return { time: secondsOf(slot?.time ?? 0) }
      // The last slot is new, so the bar before it is closed now.
      if (slots.length > averaged.length && last !== undefined && before?.bar) {
        averaged[slots.length - 2] = rule.close(before.bar)
      }
      averaged[slots.length - 1] = rule.peek(slot.bar)
      return pointOf(slot, averaged[slots.length - 1] ?? null)
    },
    averagedAt: (index) => averaged[index] ?? null,
  }
}

function pointOf({ time }: Slot, bar: AveragedBar | null): BarPoint {
  return bar === null ? { time: secondsOf(time) } : { time: secondsOf(time), ...bar }
}
