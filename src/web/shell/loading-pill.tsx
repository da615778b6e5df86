import { useEffect, useState } from 'react'
import { Spinner } from '#ui/spinner.tsx'
import { useIsWaiting } from '#ui/state/waiting.ts'
import { t } from '#web/i18n/t.ts'
import { useIsOfflineStart } from '#web/live/live-store.ts'

/** 1 s: after this time a grey placeholder alone looks as if nothing happens. */
const SAID_AFTER_MS = 1_000

/** Shows a text when the page takes long to load. The text lies over the page, so nothing moves. */
export function LoadingPill() {
  const isOfflineStart = useIsOfflineStart()
  // After a start without a network, the strip below the header says why nothing loads.
  const isWaiting = useIsWaiting() && !isOfflineStart
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    if (!isWaiting) return undefined
    const timer = setTimeout(() => setIsLong(true), SAID_AFTER_MS)
    return () => {
      clearTimeout(timer)
      setIsLong(false)
    }
  }, [isWaiting])
  return (
    <output className="pointer-events-none fixed inset-x-0 top-[calc(var(--header-h)+8px)] z-20 flex justify-center">
      {isWaiting && isLong && (
        <span className="flex items-center gap-2 rounded-full bg-ink px-3.5 py-1.5 text-label font-medium text-on-ink shadow-e2">
          <Spinner />
          {t('common.loading')}
        </span>
      )}
    </output>
  )
}
