import type { ReactNode } from 'react'

/** A part of a page that scrolls by itself, and can be reached and scrolled by keys. */
export function Scrolled({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reached by keys
    <section tabIndex={0} aria-label={label} className={`relative overflow-auto ${className}`}>
      {children}
    </section>
  )
}
