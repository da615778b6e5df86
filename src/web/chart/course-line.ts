import type { AutoscaleInfo, IPrimitivePaneRenderer, IPrimitivePaneView, ISeriesPrimitive } from 'lightweight-charts'
import type { ChartColours } from '#web/chart/chart-colours.ts'
import type { PriceRange, TickPoint } from '#web/chart/price-course.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

export interface DrawnCourse {
  /** Each run is a line without a break. */
  readonly runs: readonly (readonly TickPoint[])[]
  readonly ranges: readonly PriceRange[]
}

interface LineContext {
  xOf: (timeMs: number) => number | null
  yOf: (price: number) => number | null
  colours: () => ChartColours
  /** Two times on the axis. The axis is linear, so they determine the position of all others. */
  axis: { readonly from: number; readonly through: number }
  openedAt: number
  expiresAt: number
}

const WIDTH = 2

/**
 * Draws the prices during an order as a step line: each tick's price holds until the next tick. The line has gaps where
 * ticks are unknown. Longer orders are drawn as ranges from lowest to highest price.
 */
export function createCourseLine(context: LineContext) {
  const { xOf, yOf, colours, axis, openedAt, expiresAt } = context
  let course: DrawnCourse = { runs: [], ranges: [] }
  let requestUpdate: (() => void) | null = null

  function draw(target: Target): void {
    const [left, right] = [xOf(axis.from), xOf(axis.through)]
    if (left === null || right === null) return
    const scale = (right - left) / (axis.through - axis.from)
    const x = (ms: number) => left + (ms - axis.from) * scale
    target.useMediaCoordinateSpace(({ context: canvas, mediaSize }) => {
      const look = colours()
      const within = (at: number) => Math.min(mediaSize.width, Math.max(0, x(at)))
      const [opened, expired] = [within(openedAt), within(expiresAt)]
      const parts = [
        { from: 0, to: opened, colour: look.text3, dash: [] },
        { from: opened, to: expired, colour: look.text, dash: [] },
        { from: expired, to: mediaSize.width, colour: look.text3, dash: [2, 3] },
      ]
      for (const { from, to, colour, dash } of parts) {
        if (to <= from) continue
        canvas.save()
        canvas.beginPath()
        canvas.rect(from, 0, to - from, mediaSize.height)
        canvas.clip()
        canvas.strokeStyle = colour
        canvas.fillStyle = colour
        canvas.lineWidth = WIDTH
        canvas.lineJoin = 'round'
        canvas.setLineDash(dash)
        drawRanges(canvas, course.ranges, { x, yOf })
        for (const run of course.runs) drawRun(canvas, run, { x, yOf })
        canvas.restore()
      }
    })
  }

  const view: IPrimitivePaneView = { zOrder: () => 'normal', renderer: () => ({ draw }) }
  const views = [view]
  const primitive: ISeriesPrimitive = {
    attached: (attached) => {
      requestUpdate = attached.requestUpdate
    },
    paneViews: () => views,
    autoscaleInfo: () => autoscale(course),
  }
  return {
    primitive,
    set: (next: DrawnCourse) => {
      course = next
      requestUpdate?.()
    },
  }
}

interface Scales {
  readonly x: (ms: number) => number
  readonly yOf: (price: number) => number | null
}

function drawRanges(canvas: CanvasRenderingContext2D, ranges: readonly PriceRange[], { x, yOf }: Scales): void {
  for (const { from, through, low, high } of ranges) {
    const [top, bottom] = [yOf(high), yOf(low)]
    if (top === null || bottom === null) continue
    const height = Math.max(WIDTH, bottom - top)
    canvas.fillRect(x(from), (top + bottom - height) / 2, Math.max(1, x(through + 1) - x(from)), height)
  }
}

function drawRun(canvas: CanvasRenderingContext2D, run: readonly TickPoint[], { x, yOf }: Scales): void {
  const [first, ...others] = run
  const y = first ? yOf(first.price) : null
  if (first === undefined || y === null) return
  canvas.beginPath()
  if (others.length === 0) {
    canvas.arc(x(first.time), y, WIDTH * 0.75, 0, 2 * Math.PI)
    canvas.fill()
    return
  }
  canvas.moveTo(x(first.time), y)
  let before = y
  for (const { time, price } of others) {
    const at = yOf(price)
    if (at === null) return
    canvas.lineTo(x(time), before)
    if (at !== before) canvas.lineTo(x(time), at)
    before = at
  }
  canvas.stroke()
}

/** Returns the range of prices that must be visible. */
function autoscale({ runs, ranges }: DrawnCourse): AutoscaleInfo | null {
  const prices = runs.flatMap((run) => run.map(({ price }) => price))
  const [lows, highs] = [ranges.map(({ low }) => low), ranges.map(({ high }) => high)]
  const all = [...prices, ...lows, ...highs]
  if (all.length === 0) return null
  return {
    priceRange: {
      minValue: all.reduce((min, price) => Math.min(min, price)),
      maxValue: all.reduce((max, price) => Math.max(max, price)),
    },
  }
}
