import type { ReactNode } from 'react'

interface EditorSectionProps {
  title: string
  hint?: string | undefined
  children: ReactNode
}

/** A section of a long form: a heading and its fields, two per row on wide windows. */
export function EditorSection({ title, hint, children }: EditorSectionProps) {
  return (
    <section>
      <h2 className="text-heading">{title}</h2>
      {hint !== undefined && <p className="pt-0.5 text-caption text-fg-3">{hint}</p>}
      <div className="grid gap-3 pt-3 md:grid-cols-2">{children}</div>
    </section>
  )
}
