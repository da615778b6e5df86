import { CandlestickSeries, createChartEx, HistogramSeries, type Time } from 'lightweight-charts'
import type { SplitOut } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import { createBarCountdown } from '#web/chart/bar-countdown.ts'
import type { Bar } from '#web/chart/bar.ts'
import { readChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import {
  axisPrice,
  candleOptions,
  chartOptions,
  flagTime,
  msOf,
  priceFormat,
  themeOptions,
  VOLUME_FORMAT,
  volumeColour,
} from '#web/chart/chart-options.ts'
import { splitBars } from '#web/chart/chart-splits.ts'
import { ClockScale } from '#web/chart/clock-scale.ts'
import { createOrderZones, MIN_ZONE_PX } from '#web/chart/order-zones.ts'
import { createSessionBreaks, sessionBreaksOf } from '#web/chart/session-breaks.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { indexAt } from '#web/chart/time-axis.ts'
import { type ChartTrade, createTradeMarks } from '#web/chart/trade-marks.ts'
import { volumeUnit } from '#web/options/options.ts'
import { type Slot, withHoles } from '#web/chart/with-holes.ts'
import { xAtIndex } from '#web/chart/x-at-index.ts'

/** The bar that the legend shows, and the previous bar, which its change is relative to. */
export interface LegendBars {
  readonly bar: Bar
  readonly previous: Bar | null
  /** Set for the first bar after a split: the previous bar has prices on another basis. */
  readonly split: SplitOut | null
}

/** The position of the view. */
export interface ChartView {
  /** The newest bar is far out of sight. */
  readonly isAway: boolean
  /** The view shows empty space before the oldest bar. */
  readonly isBeforeStart: boolean
}

export interface CandleChart {
  /** Replaces all bars and keeps the view in place. */
  setBars: (bars: readonly Bar[]) => void
  /** Updates the open candle or adds the next one. `bar` is the last of `bars`. */
  updateBar: (bar: Bar, bars: readonly Bar[]) => void
  setOrders: (orders: readonly ChartOrder[], last: TickPoint | null) => void
  setTrades: (trades: readonly ChartTrade[]) => void
  /** Sets the time left of the open candle; null while none is open. */
  setCountdown: (leftMs: number | null) => void
  applyColours: () => void
  /** Moves the crosshair by `step` bars, at first from the last bar, and returns its new bar. */
  moveCrosshair: (step: number) => LegendBars | null
  clearCrosshair: () => void
  toNewest: () => void
  remove: () => void
}

interface CandleChartOptions {
  marketType: MarketType
  interval: ChartInterval
  decimals: number
  words: ZoneWords
  /** The splits of the stock. The list can grow. */
  splits: () => readonly SplitOut[]
  /** The view approaches the oldest bar, or the newest one. */
  onNearStart: () => void
  onNearEnd: () => void
  onLegend: (shown: LegendBars | null) => void
  onView: (view: ChartView) => void
  /** The user pressed the mark of an order. */
  onTrade: (id: string) => void
}

const REST_OFFSET = 3
/** Older bars are requested when the view comes this close to the oldest one: a good part of a screen. */
const NEAR_BARS = 120
/** Share of the height that the volume pane takes. */
const VOLUME_SHARE = 0.17

/** Creates a candle chart with orders, above a pane for the volume. */
export function createCandleChart(element: HTMLElement, options: CandleChartOptions): CandleChart {
  const { marketType, interval, decimals, words } = options
  const stepMs = intervalMs(interval)
  let colours = readChartColours(element)
  let bars: readonly Bar[] = []
  let slots: readonly Slot[] = []
  let times: readonly number[] = []
  let shownOffset = REST_OFFSET
  /** The bar that the keyboard selected. */
  let spokenTime: number | null = null
  let pointedTime: number | null = null
  let lastPrice: number | null = null

  const style = interval === '1d' ? 'days' : 'minutes'
  const chart = createChartEx<Time, ClockScale>(element, new ClockScale(), chartOptions(style))
  const scale = chart.timeScale()
  const candles = chart.addSeries(CandlestickSeries, { priceFormat: priceFormat(decimals) })
  const look = { priceFormat: VOLUME_FORMAT, priceLineVisible: false, lastValueVisible: false } as const
  const volume = chart.addSeries(HistogramSeries, look, 1)
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.3, bottom: 0 } })
  const [pricePane, volumePane] = chart.panes()
  pricePane?.setStretchFactor(1 - VOLUME_SHARE)
  volumePane?.setStretchFactor(VOLUME_SHARE)

  const xOf = (ms: number) => xAtIndex(chart, indexAt({ times, stepMs }, ms))
  const yOf = (price: number) => candles.priceToCoordinate(price)
  const formatPrice = (price: number) => axisPrice(price, decimals)
  const zones = createOrderZones({
    xOf,
    yOf,
    colours: () => colours,
    formatPrice,
    formatTime: flagTime,
    words: () => words,
    isOrderView: false,
  })
  const marks = createTradeMarks({ xOf, yOf, colours: () => colours })
  const countdown = createBarCountdown({ yOf, colours: () => colours })
  const seamLook = { xOf: (index: number) => xAtIndex(chart, index), colour: () => colours.lineStrong }
  const seams = [createSessionBreaks(seamLook), createSessionBreaks(seamLook)]
  const splitSeam = createSessionBreaks({ ...seamLook, colour: () => colours.warn })
  for (const { primitive } of [zones, marks, countdown]) candles.attachPrimitive(primitive)
  candles.attachPrimitive(splitSeam.primitive)
  if (seams[0]) candles.attachPrimitive(seams[0].primitive)
  if (seams[1]) volume.attachPrimitive(seams[1].primitive)
  applyColours()

  scale.subscribeVisibleLogicalRangeChange((range) => {
    if (range === null || slots.length === 0) return
    if (range.from < NEAR_BARS) options.onNearStart()
    if (range.to > slots.length - NEAR_BARS) options.onNearEnd()
    options.onView({ isAway: range.to < slots.length - 2, isBeforeStart: range.from < -1 })
  })
  chart.subscribeCrosshairMove(({ time }) => {
    pointedTime = time === undefined ? null : msOf(time)
    updateLegend()
  })
  chart.subscribeClick(({ point, paneIndex }) => {
    const id = point && paneIndex === 0 ? marks.at(point) : null
    if (id !== null) options.onTrade(id)
  })

  function applyColours(): void {
    colours = readChartColours(element)
    chart.applyOptions(themeOptions(colours))
    candles.applyOptions(candleOptions(colours))
    volume.setData(slots.map(volumeOf))
  }

  function volumeOf({ time, bar }: Slot) {
    if (bar === null) return { time: secondsOf(time) }
    const value = volumeUnit.get() === 'money' ? bar.volume * bar.close : bar.volume
    return { time: secondsOf(time), value, color: volumeColour(colours, bar.close >= bar.open) }
  }

  /** Updates the legend with the bar under the crosshair, or else the last bar. */
  function updateLegend(): void {
    const at = pointedTime === null ? -1 : indexOfTime(times, pointedTime)
    options.onLegend(barsAt(at === -1 ? slots.length - 1 : at))
  }

  function barsAt(index: number): LegendBars | null {
    const bar = slots[index]?.bar
    if (bar === undefined || bar === null) return null
    return {
      bar,
      previous: slots[index - 1]?.bar ?? null,
      split: splitBars(times, stepMs, options.splits()).get(index) ?? null,
    }
  }

  function updateSessionBreaks(): void {
    const found = sessionBreaksOf({ times, marketType, interval })
    for (const seam of seams) seam.set(found)
    splitSeam.set([...splitBars(times, stepMs, options.splits()).keys()])
  }

  function keepCrosshair(): void {
    const bar = spokenTime === null ? null : slots[indexOfTime(times, spokenTime)]?.bar
    if (bar) chart.setCrosshairPosition(bar.close, secondsOf(bar.time), candles)
  }

  /** Whether the newest bar is in view, so the user has not scrolled away. */
  function isResting(): boolean {
    return scale.scrollPosition() > shownOffset - 1.5
  }

  /** Makes room on the right for the expiries, at most half of the view. */
  function makeRoom(orders: readonly ChartOrder[]): void {
    const last = times.length - 1
    const latest = Math.max(0, ...orders.filter((order) => order.isSelected).map((order) => order.expiresAt))
    if (latest === 0 && shownOffset === REST_OFFSET) return
    const barsToExpiry = (indexAt({ times, stepMs }, latest) ?? 0) - last
    const { barSpacing } = scale.options()
    const seen = scale.width() / barSpacing
    // Zones that reach into the future are drawn wider than a short order lasts.
    const zone = barsToExpiry < -1 ? 0 : MIN_ZONE_PX / barSpacing
    const offset =
      latest === 0
        ? REST_OFFSET
        : Math.round(Math.max(REST_OFFSET, Math.min(Math.max(barsToExpiry, zone) + 2, seen * 0.45)))
    if (offset === shownOffset || seen === 0) return
    // A user who scrolled back stays in place.
    const isAtEnd = isResting()
    shownOffset = offset
    if (isAtEnd) scale.applyOptions({ rightOffset: offset })
  }

  return {
    setBars: (next) => {
      const range = slots.length === 0 ? null : scale.getVisibleLogicalRange()
      // A view at the newest bar follows new bars. Any other view keeps its bars in place.
      const isAtEnd = isResting()
      const nextSlots = withHoles(next, marketType, stepMs)
      const nextTimes = nextSlots.map(({ time }) => time)
      const fromEnd = range === null ? 0 : range.to - slots.length
      const shift = range === null ? 0 : shiftBetween(times, nextTimes, Math.round((range.from + range.to) / 2))
      bars = next
      slots = nextSlots
      times = nextTimes
      candles.setData(slots.map(candleOf))
      volume.setData(slots.map(volumeOf))
      if (range !== null && slots.length > 1) {
        const to = isAtEnd ? slots.length + fromEnd : range.to + shift
        scale.setVisibleLogicalRange({ from: to - (range.to - range.from), to })
      }
      updateSessionBreaks()
      keepCrosshair()
      updateLegend()
    },
    updateBar: (bar, all) => {
      const isNext = bar.time > (times.at(-1) ?? 0)
      const slot = { time: bar.time, bar }
      bars = all
      slots = [...(isNext ? slots : slots.slice(0, -1)), slot]
      if (isNext) {
        times = [...times, bar.time]
        updateSessionBreaks()
      }
      candles.update(candleOf(slot))
      volume.update(volumeOf(slot))
      updateLegend()
    },
    setOrders: (orders, last) => {
      makeRoom(orders)
      lastPrice = last?.price ?? null
      zones.set(orders, last)
    },
    setTrades: marks.set,
    setCountdown: (leftMs) => {
      countdown.set(leftMs === null || lastPrice === null ? null : { price: lastPrice, leftMs })
    },
    applyColours,
    moveCrosshair: (step) => {
      const at =
        spokenTime === null
          ? bars.length
          : indexOfTime(
              bars.map(({ time }) => time),
              spokenTime,
            )
      const index = Math.max(0, Math.min(bars.length - 1, (at === -1 ? bars.length : at) + step))
      const bar = bars[index]
      if (bar === undefined) return null
      spokenTime = bar.time
      bringIntoSight(indexOfTime(times, bar.time))
      keepCrosshair()
      return barsAt(indexOfTime(times, bar.time))
    },
    clearCrosshair: () => {
      spokenTime = null
      chart.clearCrosshairPosition()
    },
    // Without animation: a price that arrives during an animation would stop it halfway.
    toNewest: () => scale.scrollToPosition(shownOffset, false),
    remove: () => chart.remove(),
  }

  function bringIntoSight(index: number): void {
    const range = scale.getVisibleLogicalRange()
    if (range === null) return
    const by = index < range.from + 1 ? index - range.from - 1 : index > range.to - 1 ? index - range.to + 1 : 0
    if (by === 0) return
    scale.setVisibleLogicalRange({ from: range.from + by, to: range.to + by })
  }
}

/** Returns by how many positions the bars around a given bar have moved. */
function shiftBetween(before: readonly number[], next: readonly number[], looked: number): number {
  const index = Math.max(0, Math.min(before.length - 1, looked))
  const now = indexOfTime(next, before[index] ?? 0)
  return now === -1 ? 0 : now - index
}

function indexOfTime(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const there = times[middle] ?? 0
    if (there === time) return middle
    if (there < time) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function candleOf({ time, bar }: Slot) {
  if (bar === null) return { time: secondsOf(time) }
  const { open, high, low, close } = bar
  return { time: secondsOf(time), open, high, low, close }
}

/** Converts milliseconds to seconds, the time unit of the chart library. */
export function secondsOf(ms: number): Time {
  return (ms / 1000) as Time
}
