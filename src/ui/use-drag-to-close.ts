import { type PointerEvent, useRef } from 'react'

/** 80 px: a sheet that is dragged further than this closes on release. After a shorter drag it moves back. */
const CLOSE_AFTER_PX = 80

/**
 * Returns handlers for the grab bar of a sheet. The sheet follows the finger down and closes when it is released far
 * enough.
 */
export function useDragToClose(onClose: () => void) {
  const startY = useRef<number | null>(null)

  const end = (event: PointerEvent<HTMLElement>) => {
    if (startY.current === null) return
    const moved = event.clientY - startY.current
    startY.current = null
    shift(event.currentTarget, null)
    if (event.type === 'pointerup' && moved > CLOSE_AFTER_PX) onClose()
  }

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      startY.current = event.clientY
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (startY.current !== null) shift(event.currentTarget, Math.max(0, event.clientY - startY.current))
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}

/** Moves the sheet of a grab bar down by some pixels. Null removes the shift. */
function shift(grabBar: HTMLElement, px: number | null): void {
  const sheet = grabBar.closest('dialog')
  if (!sheet) return
  sheet.style.transition = px === null ? '' : 'none'
  sheet.style.transform = px === null ? '' : `translateY(${px}px)`
}
