import { type ReactNode, useState } from 'react'

/** Content that is rendered when the user opens it. */
export function Folded({ summary, children }: { summary: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="mt-2 text-label" onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className="hit w-fit cursor-pointer font-semibold text-brand">{summary}</summary>
      {isOpen && children}
    </details>
  )
}
