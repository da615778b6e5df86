import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { RefObject } from 'react'
import { cx } from '#ui/cx.ts'

interface PagerProps {
  /** The number of the current page, from 1. */
  page: number
  pageCount: number
  onChange: (page: number) => void
  labels: { pager: string; previous: string; next: string; page: (number: number) => string }
  /** The top of the list (with tabIndex -1). It gets the focus when the page changes. */
  listTop?: RefObject<HTMLElement | null> | undefined
}

const SQUARE = 'num grid size-11 place-items-center rounded-field text-small font-list transition-colors'

/** Previous, up to three page numbers, next. Renders nothing for a single page. */
export function Pager({ page, pageCount, onChange, labels, listTop }: PagerProps) {
  if (pageCount <= 1) return null
  const go = (target: number) => {
    onChange(target)
    listTop?.current?.focus()
  }
  return (
    <nav aria-label={labels.pager} className="flex items-center justify-center gap-1 py-2">
      <button
        type="button"
        aria-label={labels.previous}
        disabled={page <= 1}
        onClick={() => go(page - 1)}
        className={cx(SQUARE, 'text-fg-2 hover:bg-surface-2 disabled:opacity-35')}
      >
        <ChevronLeft size={20} className="flip" aria-hidden="true" />
      </button>
      {shownPages(page, pageCount).map((number) => (
        <button
          key={number}
          type="button"
          aria-label={labels.page(number)}
          aria-current={number === page ? 'page' : undefined}
          onClick={() => go(number)}
          className={cx(
            SQUARE,
            number === page ? 'bg-surface-3 font-semibold text-fg' : 'text-fg-2 hover:bg-surface-2',
          )}
        >
          {number}
        </button>
      ))}
      <button
        type="button"
        aria-label={labels.next}
        disabled={page >= pageCount}
        onClick={() => go(page + 1)}
        className={cx(SQUARE, 'text-fg-2 hover:bg-surface-2 disabled:opacity-35')}
      >
        <ChevronRight size={20} className="flip" aria-hidden="true" />
      </button>
    </nav>
  )
}

/** Returns up to three page numbers around the current one: 1 2 3, 4 5 6, 8 9 10 of 10. */
export function shownPages(page: number, pageCount: number): number[] {
  const count = Math.min(3, pageCount)
  const first = Math.min(Math.max(1, page - 1), pageCount - count + 1)
  return Array.from({ length: count }, (_, index) => first + index)
}
