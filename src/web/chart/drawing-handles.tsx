import { type PointerEvent, useLayoutEffect, useRef } from 'react'
import type { Drawing, DrawingPoint } from '#core/charts/drawing.ts'
import type { DrawingPane } from '#web/chart/drawing-pane.ts'

interface DrawingHandlesProps {
  pane: DrawingPane
  drawing: Drawing
  onMove: (points: readonly DrawingPoint[]) => void
  onMoved: (points: readonly DrawingPoint[]) => void
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * Handles of 24 px with a touch area of 44 px, which follow the chart. With a keyboard, users change the same points in
 * the list of the settings.
 */
export function DrawingHandles({ pane, drawing, onMove, onMoved }: DrawingHandlesProps) {
  const elements = useRef<(HTMLDivElement | null)[]>([])
  const held = useRef<{ readonly from: Point; readonly points: readonly Point[] } | null>(null)
  const { kind, points } = drawing
  // The last handle of a trend line moves both ends.
  const count = kind === 'trend' ? 3 : 1

  useLayoutEffect(() => {
    const follow = () => {
      const places = handlePlaces(pane, drawing)
      elements.current.forEach((element, at) => {
        const place = places?.[at]
        if (element === null) return
        element.hidden = place === undefined
        if (place) element.style.transform = `translate(${place.x - 22}px, ${place.y - 22}px)`
      })
    }
    follow()
    pane.followWith(follow)
    return () => pane.followWith(null)
  }, [pane, drawing])

  function hold(event: PointerEvent<HTMLElement>): void {
    const places = points.map((point) => pane.placeOf(point))
    if (places.some((place) => place === null)) return
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { from: { x: event.clientX, y: event.clientY }, points: places.filter((place) => place !== null) }
  }

  function pointsAt(event: PointerEvent<HTMLElement>, handle: number): DrawingPoint[] | null {
    if (held.current === null) return null
    const { from, points: places } = held.current
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y]
    const moved = places.map(({ x, y }, at) => {
      const isMoved = kind === 'horizontal' || handle === 2 || at === handle
      return isMoved ? pane.pointAt({ x: x + dx, y: y + dy }) : (points[at] ?? null)
    })
    return moved.every((point) => point !== null) ? moved : null
  }

  return (
    <div aria-hidden="true">
      {Array.from({ length: count }, (_, handle) => (
        <div
          key={handle}
          ref={(element) => {
            elements.current[handle] = element
          }}
          data-part="drawing-handle"
          className="absolute start-0 top-0 z-2 grid size-11 cursor-grab touch-none place-items-center before:size-3 before:rounded-full before:border-2 before:border-brand before:bg-surface before:shadow-[0_0_0_4px_var(--brand-tint)]"
          onPointerDown={hold}
          onPointerMove={(event) => {
            const next = pointsAt(event, handle)
            if (next !== null) onMove(next)
          }}
          onPointerUp={(event) => {
            const next = pointsAt(event, handle)
            held.current = null
            if (next !== null) onMoved(next)
          }}
        />
      ))}
    </div>
  )
}

/**
 * Returns the positions of the handles: the ends and the middle of a trend line, or the middle of the pane for a level.
 */
function handlePlaces(pane: DrawingPane, { kind, points }: Drawing): readonly Point[] | null {
  const [first, second] = points.map((point) => pane.placeOf(point))
  if (!first) return null
  if (kind === 'horizontal') return [{ x: pane.size.width / 2, y: first.y }]
  return second ? [first, second, { x: (first.x + second.x) / 2, y: (first.y + second.y) / 2 }] : null
}
