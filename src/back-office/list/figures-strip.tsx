import type { ReactNode } from 'react'
import { cx } from '#ui/cx.ts'

export interface Figure {
  readonly name: string
  /** The figure as text; undefined while it is loading. */
  readonly value: ReactNode
  readonly tone?: 'warn' | undefined
}

/** A few figures above a list, side by side; two per row on phones. */
export function FiguresStrip({ label, figures }: { label: string; figures: readonly Figure[] }) {
  return (
    <dl
      aria-label={label}
      className="mx-4 mb-3 grid shrink-0 grid-cols-2 overflow-hidden rounded-card shadow-[inset_0_0_0_1px_var(--line)] md:mx-6 lg:grid-cols-4"
    >
      {figures.map(({ name, value, tone }) => (
        <div
          key={name}
          className="border-line px-4 py-3 not-last:border-b even:border-s lg:not-first:border-s lg:not-last:border-b-0 nth-last-2:max-lg:border-b-0"
        >
          <dt className="truncate text-caption text-fg-3">{name}</dt>
          <dd className={cx('num min-h-7 text-title', tone === 'warn' && 'text-warn')}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
