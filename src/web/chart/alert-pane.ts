import type { ISeriesPrimitive, ISeriesPrimitiveAxisView, MouseEventParams } from 'lightweight-charts'
import type { ChartLayers } from '#web/chart/chart-layers.ts'
import { axisPrice } from '#web/chart/chart-options.ts'
import { priceLabel } from '#web/chart/price-label.ts'

/** A line of an alert. The line that is being placed has no id. */
export interface AlertLine {
  readonly id: string | null
  readonly level: number
}

/** 12 px: a press at most this far from a line picks the line. */
const PICKED_PX = 12
const DOTS = [1, 4]

/** The lines of price alerts on one running chart: thin, dotted and without the colours of orders. */
export class AlertPane {
  readonly #layers: ChartLayers
  readonly #primitive: ISeriesPrimitive
  #lines: readonly AlertLine[] = []
  #labels: readonly ISeriesPrimitiveAxisView[] = []
  #requestUpdate: (() => void) | null = null
  readonly #followers = new Set<() => void>()
  #stops: readonly (() => void)[] = []

  constructor(layers: ChartLayers) {
    this.#layers = layers
    const draw: NonNullable<ReturnType<NonNullable<ISeriesPrimitive['paneViews']>>[number]['renderer']> = () => ({
      draw: (target) => {
        target.useMediaCoordinateSpace(({ context, mediaSize }) => {
          context.strokeStyle = layers.context.colours().text2
          context.lineWidth = 1
          context.setLineDash(DOTS)
          for (const { level } of this.#lines) {
            const y = layers.yOf(level)
            if (y === null) continue
            context.beginPath()
            context.moveTo(0, y)
            context.lineTo(mediaSize.width, y)
            context.stroke()
          }
        })
        for (const follow of this.#followers) follow()
      },
    })
    const views = [{ zOrder: () => 'top' as const, renderer: draw }]
    this.#primitive = {
      attached: ({ requestUpdate }) => {
        this.#requestUpdate = requestUpdate
      },
      paneViews: () => views,
      priceAxisViews: () => this.#labels,
    }
  }

  /** Draws the lines, and calls `onPick` with the alert id of a line that the user presses. */
  start(onPick: (id: string) => void): void {
    const { chart } = this.#layers.context
    const picked = ({ point, paneIndex }: MouseEventParams) => {
      if (!point || paneIndex !== 0) return
      const near = this.#lines.find(({ level }) => {
        const y = this.yOf(level)
        return y !== null && Math.abs(y - point.y) <= PICKED_PX
      })
      if (near?.id) onPick(near.id)
    }
    chart.subscribeClick(picked)
    this.#stops = [this.#layers.add(this.#primitive), () => chart.unsubscribeClick(picked)]
  }

  stop(): void {
    for (const stop of this.#stops) stop()
    this.#stops = []
  }

  /** Runs `follower` after each paint, so that bells and handle follow the lines. Returns a function that stops it. */
  follow(follower: () => void): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  set(lines: readonly AlertLine[]): void {
    const { colours, decimals } = this.#layers.context
    this.#lines = lines
    this.#labels = lines.map(({ level }) =>
      priceLabel({
        price: () => level,
        yOf: this.#layers.yOf,
        format: (price) => axisPrice(price, decimals),
        look: () => ({ text: colours().bg, back: colours().text2 }),
      }),
    )
    this.#requestUpdate?.()
  }

  yOf(level: number): number | null {
    return this.#layers.yOf(level)
  }

  /** The price at a position of the price pane, in whole ticks; null before the first layout. */
  levelAt(y: number): string | null {
    const { bars, decimals } = this.#layers.context
    const price = bars().coordinateToPrice(y)
    return price === null || price <= 0 ? null : price.toFixed(decimals)
  }

  /** The height of the price pane. */
  get height(): number {
    return this.#layers.context.chart.panes()[0]?.getHeight() ?? 0
  }

  /** The width of the price pane without its axis. */
  get width(): number {
    return this.#layers.context.chart.timeScale().width()
  }
}
