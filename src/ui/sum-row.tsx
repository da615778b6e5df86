import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

interface SumRowProps {
  label: string
  strong?: boolean
  /** Draws a line above: the totals start here. */
  divided?: boolean
  children: ReactNode
}

/** One row of a summary of amounts, in a `dl`. */
export function SumRow({ label, strong = false, divided = false, children }: SumRowProps) {
  return (
    <div
      className={cx(
        'flex flex-wrap items-baseline justify-between gap-x-3',
        divided && 'mt-1 border-t border-line pt-3',
      )}
    >
      <dt className="text-small text-fg-2">{label}</dt>
      {/* The margin is on this outer element, because the number inside has its own text direction. */}
      <dd className={cx('ms-auto font-semibold', strong ? 'text-input' : 'text-small')}>
        <span className="num">{children}</span>
      </dd>
    </div>
  )
}
