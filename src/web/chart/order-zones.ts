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
import { drawExpiry, drawEntry, drawExit, drawNow, drawZones, type Flag, type Place } from '#web/chart/draw-order.ts'
import type { TickPoint } from '#web/chart/price-course.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** The functions of the chart that the drawing needs. Coordinates are CSS pixels, or null before the first layout. */
export interface ZoneContext {
  xOf: (timeMs: number) => number | null
  yOf: (price: number) => number | null
  colours: () => ChartColours
  formatPrice: (price: number) => string
  formatTime: (timeMs: number) => string
  words: () => ZoneWords
  /** The order's own view. Its zones have room for texts, and its line ends in a dot. */
  isOrderView: boolean
}

export interface OrderZones {
  primitive: ISeriesPrimitive
  set: (orders: readonly ChartOrder[], last: TickPoint | null) => void
}

/** Draws orders below the candles, and their prices on the axis. */
export function createOrderZones(context: ZoneContext): OrderZones {
  let orders: readonly ChartOrder[] = []
  let last: TickPoint | null = null
  let requestUpdate: (() => void) | null = null
  let axisViews: readonly ISeriesPrimitiveAxisView[] = []

  function place(order: ChartOrder): Place | null {
    const [fromX, toX, entryY] = [
      context.xOf(order.openedAt),
      context.xOf(order.expiresAt),
      context.yOf(order.entryPrice),
    ]
    if (fromX === null || toX === null || entryY === null) return null
    const untilX = order.exit === null && last !== null ? widened({ fromX, toX }, context.xOf(last.time)) : toX
    const exitX = order.exit && context.xOf(order.exit.time)
    const exitY = order.exit && context.yOf(order.exit.price)
    return {
      fromX,
      toX: untilX,
      entryY,
      exit: exitX !== null && exitY !== null ? { x: exitX, y: exitY } : null,
    }
  }

  function draw(
    target: Target,
    drawOne: (scope: CanvasRenderingContext2D, order: ChartOrder, at: Place, size: Size) => void,
  ) {
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      for (const order of orders) {
        const at = place(order)
        if (at === null) continue
        canvas.save()
        drawOne(canvas, order, at, mediaSize)
        canvas.restore()
      }
    })
  }

  const under: IPrimitivePaneView = {
    zOrder: () => 'bottom',
    renderer: () => ({
      draw: (target) =>
        draw(target, (canvas, order, at, size) => {
          if (!order.isSelected) return
          const words = context.isOrderView && !order.isPreview ? wordsOf(order, context.words()) : null
          const isBuy = order.direction === BUY
          drawZones(canvas, at, { size, colours: context.colours(), isBuy, words, flag: flagOf(order, size) })
        }),
    }),
  }
  const over: IPrimitivePaneView = {
    zOrder: () => 'top',
    renderer: () => ({
      draw: (target) => {
        const colours = context.colours()
        drawLastPrice(target)
        draw(target, (canvas, order, at, size) => {
          if (!order.isPreview) drawEntry(canvas, at, { size, colours })
          if (order.isSelected) {
            drawExpiry(canvas, at, { size, colours, flag: flagOf(order, size) })
          }
          if (at.exit) drawExit(canvas, at.exit, colours)
        })
      },
    }),
  }

  function drawLastPrice(target: Target): void {
    const y = last === null ? null : context.yOf(last.price)
    if (last === null || y === null) return
    const x = context.isOrderView ? context.xOf(last.time) : null
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      canvas.save()
      canvas.strokeStyle = context.colours().text
      canvas.globalAlpha = 0.55
      canvas.setLineDash([3, 3])
      canvas.beginPath()
      canvas.moveTo(0, Math.round(y) + 0.5)
      canvas.lineTo(mediaSize.width, Math.round(y) + 0.5)
      canvas.stroke()
      canvas.restore()
      if (x !== null && x <= mediaSize.width) drawNow(canvas, { x, y }, context.colours())
    })
  }

  function flagOf(order: ChartOrder, size: Size): Flag {
    return { label: context.formatTime(order.expiresAt), isLow: context.isOrderView && !isLowAt(order, size) }
  }

  /** Whether the flag goes to the bottom, so that it does not cover the price. */
  function isLowAt(order: ChartOrder, size: Size): boolean {
    const price = order.exit?.price ?? last?.price ?? order.entryPrice
    return (context.yOf(price) ?? 0) > size.height * 0.6
  }

  function label(priceOf: () => number | null, look: (colours: ChartColours) => { text: string; back: string }) {
    return {
      coordinate: () => {
        const price = priceOf()
        return (price === null ? null : context.yOf(price)) ?? -100
      },
      text: () => {
        const price = priceOf()
        return price === null ? '' : context.formatPrice(price)
      },
      textColor: () => look(context.colours()).text,
      backColor: () => look(context.colours()).back,
      visible: () => priceOf() !== null,
      tickVisible: () => false,
    }
  }

  const lastView = label(
    () => last && last.price,
    ({ bg, text }) => ({ text: bg, back: text }),
  )

  return {
    primitive: {
      attached: (attached) => {
        requestUpdate = attached.requestUpdate
      },
      paneViews: () => [under, over],
      priceAxisViews: () => axisViews,
      // The entry price must stay visible: the side of it on which the price is decides the order.
      autoscaleInfo: (): AutoscaleInfo | null => {
        const prices = orders.filter((order) => order.isSelected).map((order) => order.entryPrice)
        if (prices.length === 0) return null
        return { priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) } }
      },
    },
    set: (nextOrders, nextLast) => {
      orders = nextOrders
      last = nextLast
      const placed = orders.filter((order) => !order.isPreview)
      axisViews = [
        ...placed.map((order) =>
          label(
            () => order.entryPrice,
            ({ brand, brandTint }) => ({ text: brand, back: brandTint }),
          ),
        ),
        lastView,
      ]
      requestUpdate?.()
    },
  }
}

/** Minimum width of zones. On candles of one minute, an order of one minute would be only 8 px wide. */
export const MIN_ZONE_PX = 72

/**
 * Returns where the zones of an order end. The future part of the axis has no scale of its own, so a short order gets
 * more room.
 */
export function widened({ fromX, toX }: { fromX: number; toX: number }, nowX: number | null): number {
  return nowX !== null && toX >= nowX ? Math.max(toX, fromX + MIN_ZONE_PX) : toX
}

interface Size {
  width: number
  height: number
}

function wordsOf(order: ChartOrder, words: ZoneWords): { above: string; below: string } {
  return order.direction === BUY
    ? { above: words.aboveWins, below: words.belowLoses }
    : { above: words.aboveLoses, below: words.belowWins }
}
