import { createChartEx, LineSeries, LineStyle, type Time } from 'lightweight-charts'
import { secondsOf } from '#web/chart/candle-chart.ts'
import { readChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import { axisPrice, chartOptions, flagTime, priceFormat, themeOptions } from '#web/chart/chart-options.ts'
import { ClockScale } from '#web/chart/clock-scale.ts'
import { createOrderZones } from '#web/chart/order-zones.ts'
import { foldOnGrid, gridOf, gridTimes, type TickPoint } from '#web/chart/tick-line.ts'
import { indexAt } from '#web/chart/time-axis.ts'
import { xAtIndex } from '#web/chart/x-at-index.ts'

export interface OrderChart {
  /** `ticks` in any order; `others` are drawn as line and dot only. */
  set: (order: ChartOrder, others: readonly ChartOrder[], ticks: readonly TickPoint[]) => void
  applyColours: () => void
  remove: () => void
}

interface OrderChartOptions {
  openedAt: number
  expiresAt: number
  decimals: number
  words: ZoneWords
}

/** The course of one order as a line, from shortly before its entry to its expiry, with the time still to come. */
export function createOrderChart(element: HTMLElement, options: OrderChartOptions): OrderChart {
  const { openedAt, expiresAt, decimals, words } = options
  const grid = gridOf(options)
  const times = gridTimes(grid)
  let colours = readChartColours(element)

  const chart = createChartEx<Time, ClockScale>(element, new ClockScale(), chartOptions('seconds'))
  const look = {
    priceFormat: priceFormat(decimals),
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
  } as const
  const tail = chart.addSeries(LineSeries, { ...look, lineWidth: 2, lineStyle: LineStyle.Dotted })
  const line = chart.addSeries(LineSeries, { ...look, lineWidth: 2 })
  const zones = createOrderZones({
    xOf: (ms) => xAtIndex(chart, indexAt({ times, stepMs: grid.stepMs }, ms)),
    yOf: (price) => line.priceToCoordinate(price),
    colours: () => colours,
    formatPrice: (price) => axisPrice(price, decimals),
    formatTime: flagTime,
    words: () => words,
    isOrderView: true,
  })
  line.attachPrimitive(zones.primitive)
  const fit = () => chart.timeScale().setVisibleLogicalRange({ from: 0, to: times.length - 1 })
  chart.timeScale().subscribeSizeChange(fit)
  applyColours()

  function applyColours(): void {
    colours = readChartColours(element)
    chart.applyOptions(themeOptions(colours))
    line.applyOptions({ color: colours.text })
    tail.applyOptions({ color: colours.text3 })
  }

  return {
    set: (order, others, ticks) => {
      const prices = foldOnGrid(grid, ticks)
      line.setData(
        times.map((at, index) => {
          const value = prices[index] ?? null
          // Times without a price still take their place on the axis.
          if (value === null || at >= expiresAt) return { time: secondsOf(at) }
          return { time: secondsOf(at), value, color: at + grid.stepMs < openedAt ? colours.text3 : colours.text }
        }),
      )
      tail.setData(
        times.flatMap((at, index) => {
          const value = prices[index] ?? null
          return value !== null && at + grid.stepMs >= expiresAt ? [{ time: secondsOf(at), value }] : []
        }),
      )
      const last = ticks.reduce<TickPoint | null>(
        (newest, tick) => (newest && newest.time > tick.time ? newest : tick),
        null,
      )
      zones.set([...others, order], last)
      fit()
    },
    applyColours,
    remove: () => chart.remove(),
  }
}
