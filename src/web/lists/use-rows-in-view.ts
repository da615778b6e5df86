import { type RefObject, useLayoutEffect, useState } from 'react'

/** Lists up to this length are in the page as a whole, so that the browser's search finds every row. */
const MAX_WHOLE_ROWS = 60
/** 20 rows of a longer list are in the page before its height is known: enough for a tall phone. */
const FIRST_ROWS = 20
/** The rows in the page change in steps of this many, so that a scroll rarely renders. */
const STEP_ROWS = 5
/** 360 px: rows above and below the screen that are in the page as well. */
const MARGIN_PX = 360

/** The rows of a list that are in the page, and the height of the rows that are not. */
export interface RowsInView {
  readonly first: number
  /** The first row that is not in the page any more. */
  readonly end: number
  readonly above: number
  readonly below: number
}

/**
 * Limits a list to the rows near the screen. The list must be the only content of its element, with rows of about the
 * same height. The page scrolls it.
 */
export function useRowsInView(list: RefObject<HTMLElement | null>, count: number): RowsInView {
  const isWhole = count <= MAX_WHOLE_ROWS
  const [inView, setInView] = useState({ first: 0, end: FIRST_ROWS, rowHeight: 0 })
  useLayoutEffect(() => {
    if (isWhole) return undefined
    const look = () => {
      const element = list.current
      if (element === null) return
      const rows = element.querySelectorAll(':scope > :not([aria-hidden])')
      const top = rows[0]?.getBoundingClientRect().top ?? 0
      const bottom = rows[rows.length - 1]?.getBoundingClientRect().bottom ?? 0
      const rowHeight = (bottom - top) / rows.length
      if (!(rowHeight > 0)) return
      const above = -element.getBoundingClientRect().top
      const first = stepDown(Math.max(0, above - MARGIN_PX) / rowHeight)
      const end = stepDown((above + innerHeight + MARGIN_PX) / rowHeight) + STEP_ROWS
      setInView((before) => (before.first === first && before.end === end ? before : { first, end, rowHeight }))
    }
    look()
    addEventListener('scroll', look, { passive: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('resize', look)
    }
  }, [list, isWhole])
  if (isWhole) return { first: 0, end: count, above: 0, below: 0 }
  const first = Math.min(inView.first, stepDown(count - 1))
  const end = Math.min(count, Math.max(inView.end, first + STEP_ROWS))
  return { first, end, above: first * inView.rowHeight, below: (count - end) * inView.rowHeight }
}

function stepDown(rows: number): number {
  return Math.floor(rows / STEP_ROWS) * STEP_ROWS
}
