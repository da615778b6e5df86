/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a range input cannot follow a line of the chart */
import GripHorizontal from 'lucide-react/icons/grip-horizontal'
import { type KeyboardEvent, type PointerEvent, type Ref, useRef } from 'react'
import type { AlertPane } from '#web/chart/alert-pane.ts'
import { axisPrice } from '#web/chart/chart-options.ts'
import { t } from '#web/i18n/t.ts'

interface AlertHandleProps {
  pane: AlertPane
  level: string
  decimals: number
  onMove: (level: string) => void
  onSave: () => void
  onCancel: () => void
  ref: Ref<HTMLDivElement>
}

/** 1 %: how far Page Up and Page Down move the line. */
const PAGE_SHARE = 0.01

/**
 * The handle of the alert line that the user is placing. Users drag it, or move it with keys by one unit of the last
 * decimal or by 1 %.
 */
export function AlertHandle({ pane, level, decimals, onMove, onSave, onCancel, ref }: AlertHandleProps) {
  const held = useRef<{ readonly pointerY: number; readonly lineY: number } | null>(null)

  function hold(event: PointerEvent<HTMLElement>): void {
    const lineY = pane.yOf(Number(level))
    if (lineY === null) return
    event.currentTarget.setPointerCapture(event.pointerId)
    held.current = { pointerY: event.clientY, lineY }
  }

  function drag(event: PointerEvent<HTMLElement>): void {
    if (held.current === null) return
    const moved = pane.levelAt(held.current.lineY + event.clientY - held.current.pointerY)
    if (moved !== null) onMove(moved)
  }

  function pressed(event: KeyboardEvent): void {
    const price = Number(level)
    const unit = 10 ** -decimals
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: unit,
      ArrowRight: unit,
      ArrowDown: -unit,
      ArrowLeft: -unit,
      PageUp: price * PAGE_SHARE,
      PageDown: -price * PAGE_SHARE,
    }
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (event.key === 'Enter') onSave()
    else if (event.key === 'Escape') onCancel()
    else onMove(Math.max(unit, price + (step ?? 0)).toFixed(decimals))
  }

  return (
    <div
      ref={ref}
      role="slider"
      tabIndex={0}
      aria-label={t('alerts.handle')}
      aria-orientation="vertical"
      aria-valuenow={Number(level)}
      aria-valuetext={axisPrice(Number(level), decimals)}
      data-part="alert-handle"
      className="absolute top-0 left-0 z-2 grid size-11 cursor-ns-resize touch-none place-items-center rounded-pill"
      onPointerDown={hold}
      onPointerMove={drag}
      onPointerUp={() => {
        held.current = null
      }}
      onPointerCancel={() => {
        held.current = null
      }}
      onKeyDown={pressed}
    >
      <span className="grid h-6 w-9 place-items-center rounded-pill bg-fg-2 text-bg shadow-e2">
        <GripHorizontal size={16} strokeWidth={2} aria-hidden="true" />
      </span>
    </div>
  )
}
