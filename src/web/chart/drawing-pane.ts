import type { MouseEventParams } from 'lightweight-charts'
import { axisPrice } from '#web/chart/chart-options.ts'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import type { Drawing, DrawingPoint } from '#core/charts/drawing.ts'
import { DrawingLines } from '#web/chart/drawing-lines.ts'
import { indexAtX, timeAtIndex } from '#web/chart/point-at.ts'

interface Point {
  readonly x: number
  readonly y: number
}

/** The drawings on one running chart. */
export class DrawingPane {
  readonly #layers: ChartLayers
  readonly #lines: DrawingLines
  #stops: readonly (() => void)[] = []
  #onDraw: (() => void) | null = null

  constructor(layers: ChartLayers) {
    const { colours, decimals } = layers.context
    this.#layers = layers
    this.#lines = new DrawingLines({
      xOf: layers.xOf,
      yOf: layers.yOf,
      colours,
      formatPrice: (price) => axisPrice(price, decimals),
      onDraw: () => this.#onDraw?.(),
    })
  }

  /**
   * Draws the shapes, and calls `onPick` with the id of the drawing that the user presses, or with null for a press
   * beside all drawings.
   */
  start(onPick: (id: string | null) => void): void {
    const { chart } = this.#layers.context
    const picked = ({ point, paneIndex }: MouseEventParams) => {
      if (point && paneIndex === 0) onPick(this.#lines.at(point))
    }
    chart.subscribeClick(picked)
    this.#stops = [this.#layers.add(this.#lines.primitive), () => chart.unsubscribeClick(picked)]
  }

  /** Runs `listener` after each paint of the drawings, so that handles follow them. */
  followWith(listener: (() => void) | null): void {
    this.#onDraw = listener
  }

  set(drawings: readonly Drawing[], picked: string | null): void {
    this.#lines.set(drawings, picked)
  }

  placeOf(point: DrawingPoint): Point | null {
    return this.#lines.placeOf(point)
  }

  /** Returns the time, and the price in whole ticks, at a position of the price pane. Null before the first bar. */
  pointAt({ x, y }: Point): DrawingPoint | null {
    const { chart, axis, bars, decimals } = this.#layers.context
    const index = indexAtX(chart, x)
    const time = index === null ? null : timeAtIndex(axis(), index)
    const price = bars().coordinateToPrice(y)
    return time === null || price === null ? null : { time_ms: time, price: Math.max(0, price).toFixed(decimals) }
  }

  /** The size of the price pane without its axis. */
  get size(): { readonly width: number; readonly height: number } {
    const { chart } = this.#layers.context
    return { width: chart.timeScale().width(), height: chart.panes()[0]?.getHeight() ?? 0 }
  }

  stop(): void {
    this.#onDraw = null
    for (const stop of this.#stops) stop()
    this.#stops = []
  }
}
