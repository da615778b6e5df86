import type { ReactNode } from 'react'

/** The surface that rises from below the chart on phones. */
export function TradePanel({ children }: { children: ReactNode }) {
  return (
    <div className="relative z-2 flex flex-1 flex-col rounded-t-sheet border-t border-line bg-surface px-4 pt-4 shadow-e3">
      {children}
    </div>
  )
}
