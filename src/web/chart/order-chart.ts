import { createChartEx, LineSeries, type Time } from 'lightweight-charts'
import { readChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import { axisPrice, chartOptions, flagTime, priceFormat, secondsOf, themeOptions } from '#web/chart/chart-options.ts'
import { ClockScale } from '#web/chart/clock-scale.ts'
import { createCourseLine, type DrawnCourse } from '#web/chart/course-line.ts'
import { gridOf, gridTimes } from '#web/chart/line-grid.ts'
import { OrderZones } from '#web/chart/order-zones.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { indexAt } from '#web/chart/time-axis.ts'
import { xAtIndex } from '#web/chart/x-at-index.ts'

export interface OrderChart {
  /** `others` are drawn as line and dot only. */
  set: (order: ChartOrder, others: readonly ChartOrder[], price: DrawnCourse & { last: TickPoint | null }) => void
  applyColours: () => void
  remove: () => void
}

interface OrderChartOptions {
  openedAt: number
  expiresAt: number
  entryPrice: number
  decimals: number
  words: ZoneWords
}

/**
 * Creates the chart of one order: the price from shortly before its entry to shortly after its expiry, with empty room
 * for the time that remains.
 */
export function createOrderChart(element: HTMLElement, options: OrderChartOptions): OrderChart {
  const { openedAt, expiresAt, entryPrice, decimals, words } = options
  const grid = gridOf(options)
  const times = gridTimes(grid)
  let colours = readChartColours(element)

  const chart = createChartEx<Time, ClockScale>(element, new ClockScale(), chartOptions('seconds'))
  // An invisible series that provides the two axes. A visible one would connect ticks across unknown times.
  const axes = chart.addSeries(LineSeries, {
    priceFormat: priceFormat(decimals),
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerVisible: false,
    lineVisible: false,
  })
  axes.setData(times.map((at) => ({ time: secondsOf(at), value: entryPrice })))
  const xOf = (ms: number) => xAtIndex(chart, indexAt({ times, stepMs: grid.stepMs }, ms))
  const yOf = (price: number) => axes.priceToCoordinate(price)
  const line = createCourseLine({
    xOf,
    yOf,
    colours: () => colours,
    axis: { from: grid.fromMs, through: grid.toMs },
    openedAt,
    expiresAt,
  })
  const zones = new OrderZones({
    xOf,
    yOf,
    colours: () => colours,
    formatPrice: (price) => axisPrice(price, decimals),
    formatTime: flagTime,
    words: () => words,
    isOrderView: true,
  })
  for (const { primitive } of [line, zones]) axes.attachPrimitive(primitive)
  const fit = () => chart.timeScale().setVisibleLogicalRange({ from: 0, to: times.length - 1 })
  chart.timeScale().subscribeSizeChange(fit)
  applyColours()

  function applyColours(): void {
    colours = readChartColours(element)
    chart.applyOptions(themeOptions(colours))
  }

  return {
    set: (order, others, { last, ...course }) => {
      line.set(course)
      zones.set([...others, order], last)
      fit()
    },
    applyColours,
    remove: () => chart.remove(),
  }
}
