import { type ReactNode, Suspense } from 'react'
import { Skeleton } from '#ui/states.tsx'

/** The surface that rises from below the chart on phones. */
export function TradePanel({ children }: { children: ReactNode }) {
  return (
    <div className="relative z-2 flex flex-1 flex-col rounded-t-sheet border-t border-line bg-surface px-4 pt-4 shadow-e3">
      <Suspense fallback={<Skeleton height={224} />}>{children}</Suspense>
    </div>
  )
}
