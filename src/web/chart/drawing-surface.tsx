import { type PointerEvent, useEffect, useEffectEvent, useRef } from 'react'
import type { DrawingKind, DrawingPoint } from '#core/charts/drawing.ts'
import type { DrawingPane } from '#web/chart/drawing-pane.ts'

interface DrawingSurfaceProps {
  pane: DrawingPane
  kind: DrawingKind
  onDraft: (points: readonly DrawingPoint[]) => void
  onFinish: (points: readonly DrawingPoint[]) => void
  onCancel: () => void
}

/** 12 px: a touch that moves less is a tap, not a drag. */
const DRAG_PX = 12

/**
 * Receives the touches on the chart while a tool is in use. A trend line takes two taps or one drag, and a level takes
 * one tap.
 */
export function DrawingSurface({ pane, kind, onDraft, onFinish, onCancel }: DrawingSurfaceProps) {
  const first = useRef<{ x: number; y: number; point: DrawingPoint } | null>(null)
  const cancelled = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel()
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => cancelled(event)
    document.addEventListener('keydown', pressed)
    return () => document.removeEventListener('keydown', pressed)
  }, [])

  const spotOf = (event: PointerEvent<HTMLElement>) => {
    const edge = event.currentTarget.getBoundingClientRect()
    const at = { x: event.clientX - edge.left, y: event.clientY - edge.top }
    const { width, height } = pane.size
    const point = pane.pointAt({ x: Math.min(at.x, width), y: Math.min(at.y, height) })
    return point && { ...at, point }
  }

  function pressed(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId)
    if (kind === 'trend') first.current ??= spotOf(event)
  }

  function moved(event: PointerEvent<HTMLElement>): void {
    const spot = spotOf(event)
    if (spot === null) return
    if (kind === 'horizontal') onDraft([spot.point])
    else if (first.current !== null) onDraft([first.current.point, spot.point])
  }

  function released(event: PointerEvent<HTMLElement>): void {
    const spot = spotOf(event)
    if (spot === null) return
    if (kind === 'horizontal') onFinish([spot.point])
    else if (first.current !== null && Math.hypot(spot.x - first.current.x, spot.y - first.current.y) > DRAG_PX)
      onFinish([first.current.point, spot.point])
  }

  return (
    <div
      data-part="drawing-surface"
      aria-hidden="true"
      className="absolute inset-0 z-2 cursor-crosshair touch-none"
      onPointerDown={pressed}
      onPointerMove={moved}
      onPointerUp={released}
    />
  )
}
