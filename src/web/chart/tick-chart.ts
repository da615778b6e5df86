import { createChartEx, LineSeries, type Time } from 'lightweight-charts'
import { readChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import { axisPrice, chartOptions, flagTime, priceFormat, secondsOf, themeOptions } from '#web/chart/chart-options.ts'
import { ClockScale } from '#web/chart/clock-scale.ts'
import { createCourseLine } from '#web/chart/course-line.ts'
import { gridTimes } from '#web/chart/line-grid.ts'
import { OrderZones } from '#web/chart/order-zones.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { tickGrid } from '#web/chart/tick-grid.ts'
import { indexAt } from '#web/chart/time-axis.ts'
import { type ChartTrade, createTradeMarks } from '#web/chart/trade-marks.ts'
import { xAtIndex } from '#web/chart/x-at-index.ts'

export interface ShownTicks {
  readonly runs: readonly (readonly TickPoint[])[]
  readonly orders: readonly ChartOrder[]
  readonly trades: readonly ChartTrade[]
  readonly last: TickPoint | null
  readonly now: number
}

export interface TickChart {
  set: (shown: ShownTicks) => void
  applyColours: () => void
  remove: () => void
}

interface TickChartOptions {
  readonly decimals: number
  readonly words: ZoneWords
  readonly onTrade: (id: string) => void
}

/** Creates the chart of the newest ticks, with orders. Its axis moves along with the time. */
export function createTickChart(element: HTMLElement, { decimals, words, onTrade }: TickChartOptions): TickChart {
  let colours = readChartColours(element)
  let times: readonly number[] = []
  let isPriced = false
  // The line reads these two times whenever it is drawn.
  const axis = { from: 0, through: 1 }

  const chart = createChartEx<Time, ClockScale>(element, new ClockScale(), chartOptions('seconds'))
  // An invisible series that provides the two axes, as in the view of an order.
  const axes = chart.addSeries(LineSeries, {
    priceFormat: priceFormat(decimals),
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
    lineVisible: false,
  })
  const context = {
    xOf: (ms: number) => xAtIndex(chart, indexAt({ times, stepMs: 1_000 }, ms)),
    yOf: (price: number) => axes.priceToCoordinate(price),
    colours: () => colours,
  }
  const line = createCourseLine({ ...context, axis, openedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER })
  const zones = new OrderZones({
    ...context,
    formatPrice: (price) => axisPrice(price, decimals),
    formatTime: flagTime,
    words: () => words,
    isOrderView: false,
  })
  const marks = createTradeMarks(context)
  for (const { primitive } of [line, zones, marks]) axes.attachPrimitive(primitive)
  const fit = () => chart.timeScale().setVisibleLogicalRange({ from: 0, to: Math.max(1, times.length - 1) })
  chart.timeScale().subscribeSizeChange(fit)
  chart.subscribeClick(({ point }) => {
    const id = point ? marks.at(point) : null
    if (id !== null) onTrade(id)
  })
  applyColours()

  function applyColours(): void {
    colours = readChartColours(element)
    chart.applyOptions(themeOptions(colours))
  }

  /**
   * Moves the time axis, whose grid changes once a second. The axis series gets the newest price as its value, because
   * the price scale stays empty without a value.
   */
  function moveAxis(now: number, orders: readonly ChartOrder[], value: number | undefined): void {
    const grid = tickGrid(now, orders)
    if (grid.fromMs === axis.from && grid.toMs === axis.through && isPriced === (value !== undefined)) return
    times = gridTimes(grid)
    isPriced = value !== undefined
    Object.assign(axis, { from: grid.fromMs, through: grid.toMs })
    axes.setData(times.map((at) => ({ time: secondsOf(at), ...(value !== undefined && { value }) })))
    fit()
  }

  return {
    set: ({ runs, orders, trades, last, now }) => {
      moveAxis(now, orders, last?.price)
      line.set({ runs, ranges: [] })
      zones.set(orders, last)
      marks.set(trades.filter(({ expiresAt }) => expiresAt > axis.from))
    },
    applyColours,
    remove: () => chart.remove(),
  }
}
