import {
  createChartEx,
  HistogramSeries,
  type IChartApiBase,
  type ISeriesApi,
  type MouseEventParams,
  PriceScaleMode,
  type Time,
} from 'lightweight-charts'
import type { SplitOut } from '#contract/markets.ts'
import type { MarketType } from '#core/markets/market.ts'
import { type ChartInterval, intervalMs } from '#core/time/chart-interval.ts'
import type { Bar } from '#web/chart/bar.ts'
import { type BarDrawing, type BarSeriesApi, CANDLES } from '#web/chart/bar-drawing.ts'
import { ChartBars, type LegendFigures, type ScreenFigures } from '#web/chart/chart-bars.ts'
import { type ChartColours, readChartColours } from '#web/chart/chart-colours.ts'
import { ChartLayers } from '#web/chart/chart-layers.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import { chartOptions, msOf, secondsOf, themeOptions, VOLUME_FORMAT } from '#web/chart/chart-options.ts'
import { splitBars } from '#web/chart/chart-splits.ts'
import { ClockScale } from '#web/chart/clock-scale.ts'
import type { CreateIndicators, Indicators } from '#web/chart/indicators.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { type FreeScale, ScaleWatch } from '#web/chart/scale-watch.ts'
import { sessionBreaksOf } from '#web/chart/session-breaks.ts'
import type { TimeAxis } from '#web/chart/time-axis.ts'
import type { ChartTrade } from '#web/chart/trade-marks.ts'
import {
  type ChartView,
  isNearEnd,
  isNearStart,
  keepInPlace,
  rangeWith,
  REST_OFFSET,
  roomFor,
  viewOf,
} from '#web/chart/viewport.ts'
import type { VisibleRange } from '#web/chart/visible-range.ts'
import { volumePoint } from '#web/chart/volume-point.ts'

export interface CandleChartOptions {
  readonly marketType: MarketType
  readonly interval: ChartInterval
  readonly decimals: number
  readonly words: ZoneWords
  /** The splits of the stock. The list can grow. */
  readonly splits: () => readonly SplitOut[]
  /** Called when the view approaches the oldest bar (`onNearStart`) or the newest bar (`onNearEnd`). */
  readonly onNearStart: () => void
  readonly onNearEnd: () => void
  readonly onLegend: (shown: LegendFigures | null) => void
  readonly onView: (view: ChartView) => void
  /** Called with null when the price scale fits the prices by itself. */
  readonly onFreeScale: (free: FreeScale | null) => void
  /** Called with the id of an order when the user presses its mark. */
  readonly onTrade: (id: string) => void
}

/** Share of the height that the volume pane takes. */
const VOLUME_SHARE = 0.17

/** A candle chart with orders, above a pane for the volume. */
export class CandleChart {
  readonly #element: HTMLElement
  readonly #options: CandleChartOptions
  readonly #chart: IChartApiBase
  #drawing = CANDLES
  #series: BarSeriesApi
  readonly #volume: ISeriesApi<'Histogram'>
  readonly #bars: ChartBars
  readonly layers: ChartLayers
  readonly #scale: ScaleWatch
  #colours: ChartColours
  #indicators: Indicators | null = null
  #hasOldest = false
  /** Empty bars between the newest bar and the right edge, when the view is at the newest bar. */
  #room = REST_OFFSET
  /** The times of the bars that the keyboard selected, and that the pointer is on. */
  #selectedAt: number | null = null
  #pointedAt: number | null = null

  constructor(element: HTMLElement, options: CandleChartOptions) {
    const { marketType, interval, decimals, words } = options
    this.#element = element
    this.#options = options
    this.#bars = new ChartBars(marketType, intervalMs(interval))
    this.#colours = readChartColours(element)
    const style = interval === '1d' ? 'days' : 'minutes'
    this.#chart = createChartEx<Time, ClockScale>(element, new ClockScale(), chartOptions(style))
    this.#series = this.#drawing.addTo(this.#chart, decimals)
    const look = { priceFormat: VOLUME_FORMAT, priceLineVisible: false, lastValueVisible: false } as const
    this.#volume = this.#chart.addSeries(HistogramSeries, look, 1)
    this.#volume.priceScale().applyOptions({ scaleMargins: { top: 0.3, bottom: 0 } })
    const [pricePane, volumePane] = this.#chart.panes()
    pricePane?.setStretchFactor(1 - VOLUME_SHARE)
    volumePane?.setStretchFactor(VOLUME_SHARE)
    this.layers = new ChartLayers({
      chart: this.#chart,
      bars: () => this.#series,
      volume: this.#volume,
      axis: () => this.#axis,
      colours: () => this.#colours,
      decimals,
      words,
    })
    this.#scale = new ScaleWatch({
      element,
      bars: () => this.#series,
      paneHeight: () => this.#chart.panes()[0]?.getHeight() ?? 0,
      onChange: options.onFreeScale,
    })
    this.applyColours()
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => this.#onRange(range))
    this.#chart.subscribeCrosshairMove((event) => this.#onPointer(event))
    this.#chart.subscribeClick((event) => this.#onClick(event))
  }

  /** Replaces all bars and keeps the view in place. */
  setBars(bars: readonly Bar[], hasOldest: boolean): void {
    const scale = this.#chart.timeScale()
    const range = this.#bars.count === 0 ? null : scale.getVisibleLogicalRange()
    const isAtEnd = this.#isAtEnd()
    const before = this.#bars.times
    this.#bars.set(bars)
    this.#hasOldest = hasOldest
    this.#drawBars()
    this.#drawVolume()
    this.#indicators?.set(this.#bars.slots, hasOldest)
    if (range !== null && this.#bars.count > 1) {
      scale.setVisibleLogicalRange(keepInPlace(range, { before, after: this.#bars.times, isAtEnd }))
    }
    this.drawSeams()
    this.#placeCrosshair()
    this.#showLegend()
  }

  /** Updates the open candle or adds the next one. `bar` is the last of `bars`. */
  updateBar(bar: Bar, bars: readonly Bar[]): void {
    const slot = { time: bar.time, bar }
    if (this.#bars.update(bar, bars)) this.drawSeams()
    this.#series.update(this.#drawing.newest(this.#bars.slots, this.#colours))
    this.#volume.update(volumePoint(slot, this.#colours))
    this.#indicators?.update(this.#bars.slots)
    this.#showLegend()
  }

  setOrders(orders: readonly ChartOrder[], last: TickPoint | null): void {
    this.#makeRoom(orders)
    this.layers.setOrders(orders, last)
    this.#scale.check(last?.price ?? null)
  }

  fitPrices(): void {
    this.#scale.toAuto()
  }

  setTrades(trades: readonly ChartTrade[]): void {
    this.layers.setTrades(trades)
  }

  /** Sets the time left of the open candle; null while none is open. */
  setCountdown(leftMs: number | null): void {
    this.layers.setCountdown(leftMs)
  }

  applyColours(): void {
    this.#colours = readChartColours(this.#element)
    this.#chart.applyOptions(themeOptions(this.#colours))
    this.#drawing.applyColours(this.#series, this.#colours)
    this.#drawBars()
    this.#drawVolume()
    this.#indicators?.applyColours()
  }

  /** Draws the bars as another chart type. The view stays in place. */
  setDrawing(drawing: BarDrawing): void {
    if (drawing.type === this.#drawing.type) return
    const before = this.#series
    this.layers.detachFrom(before)
    this.#drawing = drawing
    // The new series is added before the old one is removed: a pane without series would be removed as well.
    this.#series = drawing.addTo(this.#chart, this.#options.decimals)
    this.#chart.removeSeries(before)
    this.#series.setSeriesOrder(0)
    this.layers.attachTo(this.#series)
    drawing.applyColours(this.#series, this.#colours)
    this.#drawBars()
    this.#placeCrosshair()
    this.#showLegend()
  }

  setLogarithmic(isLogarithmic: boolean): void {
    const mode = isLogarithmic ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal
    this.#series.priceScale().applyOptions({ mode })
  }

  /** Shows stored indicators. Only the first call uses `create`. Returns whether panes of indicators did not fit. */
  setIndicators(stored: readonly unknown[], maxPanes: number, create: CreateIndicators): boolean {
    const { marketType, interval, decimals } = this.#options
    if (this.#indicators === null) {
      this.#indicators = create({
        chart: this.#chart,
        marketType,
        decimals,
        stepMs: intervalMs(interval),
        colours: () => this.#colours,
        onValues: () => this.#showLegend(),
      })
      if (this.#bars.count > 0) this.#indicators.set(this.#bars.slots, this.#hasOldest)
    }
    const hasHiddenPanes = this.#indicators.choose(stored, maxPanes)
    this.#onRange(this.#chart.timeScale().getVisibleLogicalRange())
    return hasHiddenPanes
  }

  /** Moves the crosshair by `step` bars, at first from the last bar, and returns its new bar. */
  moveCrosshair(step: number): LegendFigures | null {
    const bar = this.#bars.barAfter(this.#selectedAt, step)
    if (bar === null) return null
    this.#selectedAt = bar.time
    const index = this.#bars.indexOf(bar.time)
    this.#bringIntoView(index)
    this.#placeCrosshair()
    return this.#legendAt(index)
  }

  clearCrosshair(): void {
    this.#selectedAt = null
    this.#chart.clearCrosshairPosition()
  }

  /** Brings the last bar up to a time into the middle of the view, and the crosshair to it. */
  showTime(time: number): void {
    const scale = this.#chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    const index = Math.max(
      0,
      this.#bars.times.findLastIndex((at) => at <= time),
    )
    const half = range === null ? REST_OFFSET : (range.to - range.from) / 2
    scale.setVisibleLogicalRange({ from: index - half, to: index + half })
    this.#selectedAt = this.#bars.times[index] ?? null
    this.#placeCrosshair()
  }

  toNewest(): void {
    // Without animation: a price that arrives during an animation would stop it halfway.
    this.#chart.timeScale().scrollToPosition(this.#room, false)
  }

  remove(): void {
    this.#scale.stop()
    this.#indicators?.remove()
    this.#chart.remove()
  }

  get screen(): ScreenFigures {
    const range = this.#chart.timeScale().getVisibleLogicalRange()
    const bars = range === null ? [] : this.#bars.between(range)
    const newest = this.#bars.times.at(-1) ?? 0
    const readings = this.#indicators?.readingsAt(newest) ?? []
    return { bars, readings, hasNewest: bars.at(-1)?.time === newest }
  }

  get #axis(): TimeAxis {
    return { times: this.#bars.times, stepMs: intervalMs(this.#options.interval) }
  }

  #onRange(range: VisibleRange | null): void {
    const { count } = this.#bars
    if (range === null || count === 0) return
    if (isNearStart(range, this.#indicators?.warmUpBars ?? 0)) this.#options.onNearStart()
    if (isNearEnd(range, count)) this.#options.onNearEnd()
    this.#options.onView(viewOf(range, count))
  }

  #onPointer({ time }: MouseEventParams): void {
    this.#pointedAt = time === undefined ? null : msOf(time)
    this.#showLegend()
  }

  #onClick({ point, paneIndex }: MouseEventParams): void {
    const id = point && paneIndex === 0 ? this.layers.tradeAt(point) : null
    if (id !== null) this.#options.onTrade(id)
  }

  /** Shows the bar under the crosshair in the legend, or else the last bar. */
  #showLegend(): void {
    const at = this.#pointedAt === null ? -1 : this.#bars.indexOf(this.#pointedAt)
    this.#options.onLegend(this.#legendAt(at === -1 ? this.#bars.count - 1 : at))
  }

  #legendAt(index: number): LegendFigures | null {
    const shown = this.#bars.legendAt(index, this.#splits())
    if (shown === null) return null
    const readings = this.#indicators?.readingsAt(shown.bar.time) ?? []
    return { ...shown, averaged: this.#drawing.averagedAt(index), readings }
  }

  /** The first bar after each split, by index. */
  #splits(): ReadonlyMap<number, SplitOut> {
    const { times, stepMs } = this.#axis
    return splitBars(times, stepMs, this.#options.splits())
  }

  drawSeams(): void {
    const { marketType, interval } = this.#options
    const sessions = sessionBreaksOf({ times: this.#bars.times, marketType, interval })
    this.layers.setSeams(sessions, [...this.#splits().keys()])
    this.#showLegend()
  }

  #drawBars(): void {
    this.#series.setData(this.#drawing.points(this.#bars.slots, this.#colours))
  }

  #drawVolume(): void {
    this.#volume.setData(this.#bars.slots.map((slot) => volumePoint(slot, this.#colours)))
  }

  /** Places the crosshair on the bar that the keyboard selected. */
  #placeCrosshair(): void {
    const bar = this.#selectedAt === null ? null : this.#bars.slots[this.#bars.indexOf(this.#selectedAt)]?.bar
    if (bar) this.#chart.setCrosshairPosition(bar.close, secondsOf(bar.time), this.#series)
  }

  #bringIntoView(index: number): void {
    const scale = this.#chart.timeScale()
    const range = scale.getVisibleLogicalRange()
    const next = range && rangeWith(index, range)
    if (next !== null) scale.setVisibleLogicalRange(next)
  }

  /** Whether the newest bar is in view, so the user has not scrolled away. */
  #isAtEnd(): boolean {
    return this.#chart.timeScale().scrollPosition() > this.#room - 1.5
  }

  /** Adds empty bars on the right for the expiries of the orders. Does not move a view that was scrolled back. */
  #makeRoom(orders: readonly ChartOrder[]): void {
    const scale = this.#chart.timeScale()
    const width = scale.width()
    const room = roomFor(orders, this.#axis, { width, barSpacing: scale.options().barSpacing })
    if (room === this.#room || width === 0) return
    const isAtEnd = this.#isAtEnd()
    this.#room = room
    if (isAtEnd) scale.applyOptions({ rightOffset: room })
  }
}
