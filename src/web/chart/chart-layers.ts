import type { IChartApiBase, ISeriesApi, ISeriesPrimitive } from 'lightweight-charts'
import type { BarSeriesApi } from '#web/chart/bar-drawing.ts'
import { createBarCountdown } from '#web/chart/bar-countdown.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import { axisPrice, flagTime } from '#web/chart/chart-options.ts'
import { OrderZones } from '#web/chart/order-zones.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { createSessionBreaks } from '#web/chart/session-breaks.ts'
import { indexAt, type TimeAxis } from '#web/chart/time-axis.ts'
import { type ChartTrade, createTradeMarks } from '#web/chart/trade-marks.ts'
import { xAtIndex } from '#web/chart/x-at-index.ts'

interface LayerContext {
  readonly chart: IChartApiBase
  /** The series of the bars. A change of the chart type replaces it. */
  readonly bars: () => BarSeriesApi
  readonly volume: ISeriesApi<'Histogram'>
  readonly axis: () => TimeAxis
  readonly colours: () => ChartColours
  readonly decimals: number
  readonly words: ZoneWords
}

/**
 * Draws over a candle chart: orders, settled orders, the countdown, and the dashed lines at the starts of sessions and
 * at splits.
 */
export class ChartLayers {
  readonly context: LayerContext
  readonly xOf: (timeMs: number) => number | null
  readonly yOf: (price: number) => number | null
  readonly #zones: OrderZones
  readonly #marks: ReturnType<typeof createTradeMarks>
  readonly #countdown: ReturnType<typeof createBarCountdown>
  readonly #sessionSeams: readonly ReturnType<typeof createSessionBreaks>[]
  readonly #splitSeams: ReturnType<typeof createSessionBreaks>
  /** Everything that is drawn over the bars. */
  readonly #overBars: ISeriesPrimitive[]
  #lastPrice: number | null = null

  constructor(context: LayerContext) {
    const { chart, bars, volume, axis, colours, decimals, words } = context
    const xOf = (ms: number) => xAtIndex(chart, indexAt(axis(), ms))
    const yOf = (price: number) => bars().priceToCoordinate(price)
    this.context = context
    this.xOf = xOf
    this.yOf = yOf
    const seamLook = { xOf: (index: number) => xAtIndex(chart, index), colour: () => colours().lineStrong }
    const [priceSeams, volumeSeams] = [createSessionBreaks(seamLook), createSessionBreaks(seamLook)]
    this.#zones = new OrderZones({
      xOf,
      yOf,
      colours,
      formatPrice: (price) => axisPrice(price, decimals),
      formatTime: flagTime,
      words: () => words,
      isOrderView: false,
    })
    this.#marks = createTradeMarks({ xOf, yOf, colours })
    this.#countdown = createBarCountdown({ yOf, colours })
    this.#sessionSeams = [priceSeams, volumeSeams]
    this.#splitSeams = createSessionBreaks({ ...seamLook, colour: () => colours().warn })
    const layers = [this.#zones, this.#marks, this.#countdown, this.#splitSeams, priceSeams]
    this.#overBars = layers.map(({ primitive }) => primitive)
    this.attachTo(bars())
    volume.attachPrimitive(volumeSeams.primitive)
  }

  /** Draws something more over the bars, whatever their type. Returns a function that removes it. */
  add(primitive: ISeriesPrimitive): () => void {
    const { bars } = this.context
    this.#overBars.push(primitive)
    bars().attachPrimitive(primitive)
    return () => {
      this.#overBars.splice(this.#overBars.indexOf(primitive), 1)
      bars().detachPrimitive(primitive)
    }
  }

  attachTo(bars: BarSeriesApi): void {
    for (const primitive of this.#overBars) bars.attachPrimitive(primitive)
  }

  detachFrom(bars: BarSeriesApi): void {
    for (const primitive of this.#overBars) bars.detachPrimitive(primitive)
  }

  setOrders(orders: readonly ChartOrder[], last: TickPoint | null): void {
    this.#lastPrice = last?.price ?? null
    this.#zones.set(orders, last)
  }

  setTrades(trades: readonly ChartTrade[]): void {
    this.#marks.set(trades)
  }

  /** Returns the id of the settled order whose mark is at a point of the price pane. */
  tradeAt(point: { readonly x: number; readonly y: number }): string | null {
    return this.#marks.at(point)
  }

  /** Sets the time left of the open candle; null while none is open. */
  setCountdown(leftMs: number | null): void {
    const price = this.#lastPrice
    this.#countdown.set(leftMs === null || price === null ? null : { price, leftMs })
  }

  /**
   * Sets the indexes of the bars at which a session starts or after which prices are on a new basis because of a split.
   * A line is drawn before each of these bars.
   */
  setSeams(sessions: readonly number[], splits: readonly number[]): void {
    for (const seams of this.#sessionSeams) seams.set(sessions)
    this.#splitSeams.set(splits)
  }
}
