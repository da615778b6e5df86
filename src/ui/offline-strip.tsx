import CloudOff from 'lucide-react/icons/cloud-off'
import type { ReactNode } from 'react'

/**
 * A strip below the header while the socket is disconnected. The element is always in the page, so that screen readers
 * announce a change.
 */
export function OfflineStrip({ offline, children }: { offline: boolean; children: ReactNode }) {
  return (
    <output className="sticky top-(--header-h) z-20 block">
      {offline && (
        <span className="flex min-h-8 items-center justify-center gap-2 bg-warn-tint px-4 py-1.5 text-label font-medium text-warn">
          <CloudOff size={16} strokeWidth={1.75} aria-hidden="true" />
          {children}
        </span>
      )}
    </output>
  )
}
