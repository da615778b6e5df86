import type {
  AutoscaleInfo,
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
} from 'lightweight-charts'
import { BUY } from '#core/orders/order.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import type { ChartOrder, ZoneWords } from '#web/chart/chart-order.ts'
import {
  drawEntry,
  drawExit,
  drawExpiry,
  drawLastPrice,
  drawNow,
  drawZones,
  type Flag,
  type Place,
} from '#web/chart/draw-order.ts'
import { type Coordinates, placeOf } from '#web/chart/order-place.ts'
import type { TickPoint } from '#web/chart/price-course.ts'
import { entryLook, lastPriceLook, priceLabel } from '#web/chart/price-label.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** The functions of the chart that the drawing needs. */
export interface ZoneContext extends Coordinates {
  readonly colours: () => ChartColours
  readonly formatPrice: (price: number) => string
  readonly formatTime: (timeMs: number) => string
  readonly words: () => ZoneWords
  /** Whether this is the chart of one order, whose zones have room for texts and whose line ends in a dot. */
  readonly isOrderView: boolean
}

interface Size {
  readonly width: number
  readonly height: number
}

/** Draws orders below the candles, and their prices on the axis. */
export class OrderZones {
  readonly primitive: ISeriesPrimitive
  readonly #context: ZoneContext
  readonly #lastLabel: ISeriesPrimitiveAxisView
  #orders: readonly ChartOrder[] = []
  #last: TickPoint | null = null
  #labels: readonly ISeriesPrimitiveAxisView[] = []
  #requestUpdate: (() => void) | null = null

  constructor(context: ZoneContext) {
    this.#context = context
    this.#lastLabel = this.#label(() => this.#last && this.#last.price, lastPriceLook)
    const under: IPrimitivePaneView = {
      zOrder: () => 'bottom',
      renderer: () => ({ draw: (target) => this.#drawUnder(target) }),
    }
    const over: IPrimitivePaneView = {
      zOrder: () => 'top',
      renderer: () => ({ draw: (target) => this.#drawOver(target) }),
    }
    this.primitive = {
      attached: (attached) => {
        this.#requestUpdate = attached.requestUpdate
      },
      paneViews: () => [under, over],
      priceAxisViews: () => this.#labels,
      autoscaleInfo: () => this.#autoscale(),
    }
  }

  set(orders: readonly ChartOrder[], last: TickPoint | null): void {
    this.#orders = orders
    this.#last = last
    const placed = orders.filter((order) => !order.isPreview)
    this.#labels = [...placed.map((order) => this.#label(() => order.entryPrice, entryLook)), this.#lastLabel]
    this.#requestUpdate?.()
  }

  #label(price: () => number | null, look: (colours: ChartColours) => { text: string; back: string }) {
    const { yOf, formatPrice, colours } = this.#context
    return priceLabel({ price, yOf, format: formatPrice, look: () => look(colours()) })
  }

  /** The entry price must stay visible: the result depends on which side of the entry price the order ends. */
  #autoscale(): AutoscaleInfo | null {
    const prices = this.#orders.filter((order) => order.isSelected).map((order) => order.entryPrice)
    if (prices.length === 0) return null
    return { priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) } }
  }

  #drawUnder(target: Target): void {
    const { isOrderView, words, colours } = this.#context
    this.#drawEach(target, (canvas, order, at, size) => {
      if (!order.isSelected) return
      drawZones(canvas, at, {
        size,
        colours: colours(),
        isBuy: order.direction === BUY,
        words: isOrderView && !order.isPreview ? wordsOf(order, words()) : null,
        flag: this.#flagOf(order, size),
      })
    })
  }

  #drawOver(target: Target): void {
    const colours = this.#context.colours()
    this.#drawLast(target, colours)
    this.#drawEach(target, (canvas, order, at, size) => {
      if (!order.isPreview) drawEntry(canvas, at, { size, colours })
      if (order.isSelected) drawExpiry(canvas, at, { size, colours, flag: this.#flagOf(order, size) })
      if (at.exit) drawExit(canvas, at.exit, colours)
    })
  }

  #drawEach(
    target: Target,
    drawOne: (canvas: CanvasRenderingContext2D, order: ChartOrder, at: Place, size: Size) => void,
  ): void {
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      for (const order of this.#orders) {
        const at = placeOf(order, this.#last?.time ?? null, this.#context)
        if (at === null) continue
        canvas.save()
        drawOne(canvas, order, at, mediaSize)
        canvas.restore()
      }
    })
  }

  #drawLast(target: Target, colours: ChartColours): void {
    const { isOrderView, xOf, yOf } = this.#context
    const last = this.#last
    const y = last && yOf(last.price)
    if (last === null || y === null) return
    const x = isOrderView ? xOf(last.time) : null
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      drawLastPrice(canvas, y, { size: mediaSize, colours })
      if (x !== null && x <= mediaSize.width) drawNow(canvas, { x, y }, colours)
    })
  }

  /**
   * The flag is at the top. In the chart of one order it is at the bottom while the price is in the upper 60 % of the
   * pane, so that it does not cover the price.
   */
  #flagOf(order: ChartOrder, size: Size): Flag {
    const { isOrderView, formatTime, yOf } = this.#context
    const price = order.exit?.price ?? this.#last?.price ?? order.entryPrice
    const isPriceLow = (yOf(price) ?? 0) > size.height * 0.6
    return { label: formatTime(order.expiresAt), isLow: isOrderView && !isPriceLow }
  }
}

function wordsOf(order: ChartOrder, words: ZoneWords): { above: string; below: string } {
  return order.direction === BUY
    ? { above: words.aboveWins, below: words.belowLoses }
    : { above: words.aboveLoses, below: words.belowWins }
}
