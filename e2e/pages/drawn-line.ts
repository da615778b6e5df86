import type { Page } from '@playwright/test'

/** A stroke on the canvas, in CSS pixels. */
export interface Stroke {
  readonly points: readonly { readonly x: number; readonly y: number; readonly isMove: boolean }[]
}

/** Records the strokes on the page's canvases. Must be called before the page is opened. */
export async function watchStrokes(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Point {
      x: number
      y: number
      isMove: boolean
    }
    const strokes: { at: number; frame: number; alpha: number; style: string; points: Point[] }[] = []
    Object.assign(globalThis, { drawnStrokes: strokes })
    let frame = 0
    const count = () => {
      frame += 1
      requestAnimationFrame(count)
    }
    requestAnimationFrame(count)
    const prototype = CanvasRenderingContext2D.prototype
    const paths = new WeakMap<CanvasRenderingContext2D, Point[]>()
    type Name = 'beginPath' | 'moveTo' | 'lineTo' | 'stroke'
    /** Calls `notice` before each call of a method. */
    const before = (name: Name, notice: (canvas: CanvasRenderingContext2D, given: readonly unknown[]) => void) => {
      const method = prototype[name] as (...given: unknown[]) => void
      prototype[name] = function noticed(this: CanvasRenderingContext2D, ...given: unknown[]) {
        notice(this, given)
        Reflect.apply(method, this, given)
      }
    }
    const note = (canvas: CanvasRenderingContext2D, x: number, y: number, isMove: boolean) => {
      const { a, d, e, f } = canvas.getTransform()
      const ratio = globalThis.devicePixelRatio
      paths.get(canvas)?.push({ x: (x * a + e) / ratio, y: (y * d + f) / ratio, isMove })
    }
    before('beginPath', (canvas) => paths.set(canvas, []))
    before('moveTo', (canvas, [x, y]) => note(canvas, Number(x), Number(y), true))
    before('lineTo', (canvas, [x, y]) => note(canvas, Number(x), Number(y), false))
    before('stroke', (canvas) => {
      const { globalAlpha: alpha, strokeStyle } = canvas
      const style = typeof strokeStyle === 'string' ? strokeStyle : ''
      strokes.push({ at: performance.now(), frame, alpha, style, points: paths.get(canvas) ?? [] })
      if (strokes.length > 4_000) strokes.splice(0, 2_000)
    })
  })
}

/**
 * Returns the price line of the newest frame: the stroke in the text colour with more than two points. The hatching of
 * a zone has another colour and is transparent.
 */
export async function priceLine(page: Page): Promise<Stroke> {
  return page.evaluate(async () => {
    interface Drawn {
      at: number
      frame: number
      alpha: number
      style: string
      points: { x: number; y: number; isMove: boolean }[]
    }
    const { drawnStrokes } = globalThis as unknown as { drawnStrokes: Drawn[] }
    const probe = document.createElement('canvas').getContext('2d')
    const text = getComputedStyle(document.documentElement).getPropertyValue('--text').trim()
    if (probe === null) throw new Error('this browser has no canvas')
    probe.strokeStyle = text
    const style = probe.strokeStyle
    const since = performance.now()
    const isLine = ({ at, alpha, style: own, points }: Drawn) =>
      at > since && alpha === 1 && own === style && points.length > 2
    for (;;) {
      await new Promise((resolve) => requestAnimationFrame(resolve))
      const lines = drawnStrokes.filter(isLine)
      const last = lines.at(-1)
      // A line with gaps consists of several strokes, so all strokes of the newest frame are joined.
      if (last !== undefined)
        return { points: lines.filter(({ frame }) => frame === last.frame).flatMap(({ points }) => points) }
      if (performance.now() - since > 15_000) return { points: [] }
    }
  })
}

/**
 * Returns the greatest horizontal distance, in pixels, over which the stroke goes from one price to another on a slant.
 */
export function maxSlope({ points }: Stroke): number {
  return Math.max(
    0,
    ...points.map((point, at) => {
      const before = points[at - 1]
      if (before === undefined || point.isMove || Math.abs(point.y - before.y) < 1) return 0
      return Math.abs(point.x - before.x)
    }),
  )
}

/** Returns the widest horizontal gap between parts of a stroke, in pixels. */
export function widestHole({ points }: Stroke): number {
  const xs = points.map(({ x }) => x)
  const reached = xs.map((x, at) => (points[at]?.isMove === true ? x - Math.max(...xs.slice(0, at), -Infinity) : 0))
  return Math.max(0, ...reached.filter(Number.isFinite))
}

/** Returns the number of price changes in the stroke. */
export function countSteps({ points }: Stroke): number {
  return points.filter((point, at) => {
    const before = points[at - 1]
    return before !== undefined && !point.isMove && Math.abs(point.y - before.y) > 0
  }).length
}
