import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitiveHoveredItem,
} from 'lightweight-charts'
import { BUY, type Direction } from '#core/orders/order.ts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import { drawEntryMark, drawOutcome, type MarkOutcome } from '#web/chart/draw-trade-mark.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** A settled order as marked on the chart. Times are in milliseconds UTC. */
export interface ChartTrade {
  readonly id: string
  readonly direction: Direction
  readonly entryPrice: number
  readonly openedAt: number
  readonly expiresAt: number
  /** Null when the order is void: its line ends at the entry price. */
  readonly exitPrice: number | null
  readonly outcome: MarkOutcome
}

interface MarksContext {
  xOf: (timeMs: number) => number | null
  yOf: (price: number) => number | null
  colours: () => ChartColours
}

interface Placed {
  readonly trade: ChartTrade
  readonly entry: Point
  readonly exit: Point
}

interface Point {
  readonly x: number
  readonly y: number
}

/** Maximum distance from a mark for a mouse pointer, and for a finger. */
const POINTED_PX = 12
const TAPPED_PX = 24

/** Draws the entries and exits of settled orders, and finds the order whose mark is under the pointer. */
export function createTradeMarks({ xOf, yOf, colours }: MarksContext) {
  let trades: readonly ChartTrade[] = []
  let requestUpdate: (() => void) | null = null

  function place(trade: ChartTrade): Placed | null {
    const [fromX, fromY] = [xOf(trade.openedAt), yOf(trade.entryPrice)]
    const [toX, toY] = [xOf(trade.expiresAt), yOf(trade.exitPrice ?? trade.entryPrice)]
    if (fromX === null || fromY === null || toX === null || toY === null) return null
    return { trade, entry: { x: fromX, y: fromY }, exit: { x: toX, y: toY } }
  }

  function draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      const look = colours()
      for (const trade of trades) {
        const at = place(trade)
        if (at === null || at.exit.x < -TAPPED_PX || at.entry.x > mediaSize.width + TAPPED_PX) continue
        canvas.save()
        canvas.strokeStyle = look.lineStrong
        canvas.setLineDash([1, 3])
        canvas.beginPath()
        canvas.moveTo(at.entry.x, at.entry.y)
        // A line along the entry price to the expiry, then to the exit. It does not show the path of the price.
        canvas.lineTo(at.exit.x, at.entry.y)
        canvas.lineTo(at.exit.x, at.exit.y)
        canvas.stroke()
        canvas.setLineDash([])
        drawEntryMark(canvas, at.entry, { colours: look, isBuy: trade.direction === BUY })
        drawOutcome(canvas, at.exit, { colours: look, outcome: trade.outcome })
        canvas.restore()
      }
    })
  }

  /** Returns the id of the order whose mark is nearest to a point; null if none is near. */
  function at(point: Point, within = TAPPED_PX): string | null {
    let nearest: { id: string; distance: number } | null = null
    for (const trade of trades) {
      const placed = place(trade)
      if (placed === null) continue
      for (const mark of [placed.entry, placed.exit]) {
        const distance = Math.hypot(mark.x - point.x, mark.y - point.y)
        if (distance <= within && distance < (nearest?.distance ?? Infinity)) nearest = { id: trade.id, distance }
      }
    }
    return nearest?.id ?? null
  }

  const view: IPrimitivePaneView = { zOrder: () => 'top', renderer: () => ({ draw }) }
  const views = [view]
  const primitive: ISeriesPrimitive = {
    attached: (attached) => {
      requestUpdate = attached.requestUpdate
    },
    paneViews: () => views,
    hitTest: (x, y): PrimitiveHoveredItem | null => {
      const id = at({ x, y }, POINTED_PX)
      return id === null ? null : { externalId: id, zOrder: 'top', cursorStyle: 'pointer' }
    },
  }
  return {
    primitive,
    at,
    set: (next: readonly ChartTrade[]) => {
      trades = next
      requestUpdate?.()
    },
  }
}
