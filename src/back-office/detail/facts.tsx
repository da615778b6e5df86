import type { ReactNode } from 'react'

/** A section of a detail pane with its heading. */
export function Block({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="pb-5">
      <h3 className="pb-1.5 text-caption font-medium text-fg-3">{title}</h3>
      {children}
    </section>
  )
}

/** A list of facts, one per line: `<Facts><Fact name="Rate">1.00</Fact></Facts>`. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl>{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4 py-1">
      <dt className="shrink-0 text-fg-2">{name}</dt>
      <dd className="num min-w-0 text-end break-words">{children}</dd>
    </div>
  )
}
