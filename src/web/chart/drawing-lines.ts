import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  ISeriesPrimitiveAxisView,
} from 'lightweight-charts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import type { Drawing, DrawingPoint } from '#core/charts/drawing.ts'
import type { Coordinates } from '#web/chart/order-place.ts'
import { priceLabel } from '#web/chart/price-label.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

interface Point {
  readonly x: number
  readonly y: number
}

interface LinesContext extends Coordinates {
  readonly colours: () => ChartColours
  readonly formatPrice: (price: number) => string
  readonly onDraw: () => void
}

/** 12 px: a press at most this far from a drawing picks the drawing. */
const PICKED_PX = 12
/** One pattern per colour, as the samples in the settings show: colour alone does not tell lines apart. */
const DASHES: readonly number[][] = [[], [8, 4], [12, 4], [3, 3], [3, 7]]
/** 100,000 px, wider than any screen: a level is drawn this far to both sides of its point. */
const FAR_PX = 100_000

/** Draws the shapes of the user, and finds the shape under the pointer. */
export class DrawingLines {
  readonly primitive: ISeriesPrimitive
  readonly #context: LinesContext
  #drawings: readonly Drawing[] = []
  #labels: readonly ISeriesPrimitiveAxisView[] = []
  #picked: string | null = null
  #requestUpdate: (() => void) | null = null

  constructor(context: LinesContext) {
    this.#context = context
    const view: IPrimitivePaneView = {
      zOrder: () => 'top',
      renderer: () => ({ draw: (target) => this.#draw(target) }),
    }
    const views = [view]
    this.primitive = {
      attached: (attached) => {
        this.#requestUpdate = attached.requestUpdate
      },
      paneViews: () => views,
      priceAxisViews: () => this.#labels,
      hitTest: (x, y) => {
        const id = this.at({ x, y })
        return id === null ? null : { externalId: id, zOrder: 'top', cursorStyle: 'pointer' }
      },
    }
  }

  set(drawings: readonly Drawing[], picked: string | null): void {
    this.#drawings = drawings
    this.#picked = picked
    const { yOf, formatPrice } = this.#context
    this.#labels = drawings
      .filter(({ kind }) => kind === 'horizontal')
      .map(({ points, colour }) =>
        priceLabel({
          price: () => Number(points[0]?.price),
          yOf,
          format: formatPrice,
          look: () => ({ text: this.#context.colours().bg, back: this.#colourOf(colour) }),
        }),
      )
    this.#requestUpdate?.()
  }

  /** Returns the id of the drawing at a point; null if none is near. The newest drawing lies on top. */
  at(point: Point): string | null {
    const near = this.#drawings.findLast((drawing) => {
      const line = this.#lineOf(drawing)
      return line !== null && distance(point, line) <= PICKED_PX
    })
    return near?.id ?? null
  }

  /** Returns where a point of a drawing is; null before the first layout. */
  placeOf({ time_ms: time, price }: DrawingPoint): Point | null {
    const [x, y] = [this.#context.xOf(time), this.#context.yOf(Number(price))]
    return x === null || y === null ? null : { x, y }
  }

  #draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context: canvas }) => {
      for (const drawing of this.#drawings) {
        const line = this.#lineOf(drawing)
        if (line === null) continue
        canvas.save()
        canvas.strokeStyle = this.#colourOf(drawing.colour)
        canvas.lineWidth = drawing.id === this.#picked ? 3 : 1.5
        canvas.setLineDash(DASHES[drawing.colour - 1] ?? [])
        canvas.beginPath()
        canvas.moveTo(line[0].x, line[0].y)
        canvas.lineTo(line[1].x, line[1].y)
        canvas.stroke()
        canvas.restore()
      }
    })
    this.#context.onDraw()
  }

  #lineOf({ kind, points }: Drawing): readonly [Point, Point] | null {
    const [first, second] = points.map((point) => this.placeOf(point))
    if (!first) return null
    if (kind === 'horizontal')
      return [
        { ...first, x: -FAR_PX },
        { ...first, x: FAR_PX },
      ]
    return second ? [first, second] : null
  }

  #colourOf(colour: number): string {
    const { lines, text3 } = this.#context.colours()
    return lines[colour - 1] ?? text3
  }
}

/** Returns the distance of a point from the part of a line between two points. */
export function distance({ x, y }: Point, [from, to]: readonly [Point, Point]): number {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const squared = dx * dx + dy * dy
  const along = squared === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / squared))
  return Math.hypot(x - from.x - along * dx, y - from.y - along * dy)
}
