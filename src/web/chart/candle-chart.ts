import { CandlestickSeries, createChart, HistogramSeries, type Time } from 'lightweight-charts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { readChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import {
  axisPrice,
  axisTime,
  candleOptions,
  chartOptions,
  themeOptions,
  volumeColour,
} from '#web/chart/chart-options.ts'
import { createOrderZones } from '#web/chart/order-zones.ts'
import type { TickPoint } from '#web/chart/tick-line.ts'
import { indexAt } from '#web/chart/time-axis.ts'
import { volumeUnit } from '#web/options/options.ts'
import { xAtIndex } from '#web/chart/x-at-index.ts'

/** A candle with its opening time in milliseconds UTC. */
export interface Bar {
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

export interface CandleChart {
  /** Replaces everything; the view stays where it is unless it was empty. */
  setBars: (bars: readonly Bar[]) => void
  /** The open candle or the next one; older ones are ignored. */
  updateBar: (bar: Bar) => void
  setOrders: (orders: readonly ChartOrder[], last: TickPoint | null) => void
  applyColours: () => void
  /** Moves the crosshair to the bar `step` bars away; from the last one when there is none yet. */
  moveCrosshair: (step: number) => void
  remove: () => void
}

interface CandleChartOptions {
  interval: ChartInterval
  decimals: number
  words: ZoneWords
  /** The user is about to see the oldest bar. */
  onNearStart: () => void
}

const REST_OFFSET = 3
/** How close to the oldest bar the view may come before older ones are asked for. */
const NEAR_START_BARS = 20

/** Candles and volume with orders drawn in. */
export function createCandleChart(element: HTMLElement, options: CandleChartOptions): CandleChart {
  const { interval, decimals, words, onNearStart } = options
  const stepMs = intervalMs(interval)
  const style = interval === '1d' ? 'days' : 'minutes'
  let colours = readChartColours(element)
  let bars: readonly Bar[] = []
  let times: number[] = []
  let shownOffset = REST_OFFSET
  let crosshair: number | null = null

  const chart = createChart(element, chartOptions(style, decimals))
  const volume = chart.addSeries(HistogramSeries, {
    priceScaleId: 'volume',
    priceFormat: { type: 'volume' },
    priceLineVisible: false,
    lastValueVisible: false,
  })
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.83, bottom: 0 }, visible: false })
  const candles = chart.addSeries(CandlestickSeries, {
    priceFormat: { type: 'price', precision: decimals, minMove: 10 ** -decimals },
  })
  const zones = createOrderZones({
    xOf: (ms) => xAtIndex(chart, indexAt({ times, stepMs }, ms)),
    yOf: (price) => candles.priceToCoordinate(price),
    colours: () => colours,
    formatPrice: (price) => axisPrice(price, decimals),
    formatTime: (ms) => axisTime(ms, 'seconds'),
    words: () => words,
    isOrderView: false,
  })
  candles.attachPrimitive(zones.primitive)
  applyColours()
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && range.from < NEAR_START_BARS && bars.length > 0) onNearStart()
  })

  function applyColours(): void {
    colours = readChartColours(element)
    chart.applyOptions(themeOptions(colours))
    candles.applyOptions(candleOptions(colours))
    volume.setData(bars.map(volumeOf))
  }

  function volumeOf(bar: Bar) {
    const value = volumeUnit.get() === 'money' ? bar.volume * bar.close : bar.volume
    return { time: secondsOf(bar.time), value, color: volumeColour(colours, bar.close >= bar.open) }
  }

  /** Makes room on the right for the expiries, but never more than half of what is seen. */
  function makeRoom(orders: readonly ChartOrder[]): void {
    const last = times.length - 1
    const latest = Math.max(0, ...orders.filter((order) => order.isSelected).map((order) => order.expiresAt))
    const beyond = (indexAt({ times, stepMs }, latest) ?? 0) - last
    const seen = chart.timeScale().width() / chart.timeScale().options().barSpacing
    const offset = latest === 0 ? REST_OFFSET : Math.round(Math.max(REST_OFFSET, Math.min(beyond + 2, seen * 0.45)))
    if (offset === shownOffset || seen === 0) return
    // Only while the newest bar is in sight: whoever scrolled back wants to stay there.
    const isAtEnd = chart.timeScale().scrollPosition() >= -2
    shownOffset = offset
    if (isAtEnd) chart.timeScale().applyOptions({ rightOffset: offset })
  }

  return {
    setBars: (next) => {
      const range = bars.length === 0 ? null : chart.timeScale().getVisibleRange()
      bars = next
      times = next.map((bar) => bar.time)
      candles.setData(next.map(candleOf))
      volume.setData(next.map(volumeOf))
      if (range !== null && next.length > 1) chart.timeScale().setVisibleRange(range)
    },
    updateBar: (bar) => {
      const newest = times.at(-1)
      if (newest === undefined || bar.time < newest) return
      if (bar.time > newest) {
        times = [...times, bar.time]
        bars = [...bars, bar]
      } else bars = [...bars.slice(0, -1), bar]
      candles.update(candleOf(bar))
      volume.update(volumeOf(bar))
    },
    setOrders: (orders, last) => {
      makeRoom(orders)
      zones.set(orders, last)
    },
    applyColours,
    moveCrosshair: (step) => {
      crosshair = Math.max(0, Math.min(bars.length - 1, (crosshair ?? bars.length) + step))
      const bar = bars[crosshair]
      if (bar) chart.setCrosshairPosition(bar.close, secondsOf(bar.time), candles)
    },
    remove: () => chart.remove(),
  }
}

function candleOf({ time, open, high, low, close }: Bar) {
  return { time: secondsOf(time), open, high, low, close }
}

/** The library's own time: seconds. */
export function secondsOf(ms: number): Time {
  return (ms / 1000) as Time
}
