import { type ReactNode } from 'react'
import { SectionLabel } from '#ui/card.tsx'

/** The size of icons in a component that does not set its own. */
export const icon = { size: 20, strokeWidth: 1.75 }

/** A titled group of components in the gallery. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-8 break-inside-avoid">
      <SectionLabel className="mt-0">{title}</SectionLabel>
      <div className="flex flex-col gap-2.5">{children}</div>
    </section>
  )
}
