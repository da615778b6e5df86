import { useEffect, useState } from 'react'
import { useIsOnline } from '#ui/state/online.ts'
import { Spinner } from '#ui/spinner.tsx'
import { t } from '#web/i18n/t.ts'
import { ReloadButton } from '#web/parts/error-boundary.tsx'

/** 10 s: after this time the network may have lost the request, and a new one often succeeds. */
const LONG_MS = 10_000

/** Shown while a screen's code loads. A short delay prevents flicker. */
export function ScreenLoading() {
  const isOnline = useIsOnline()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLong(true), LONG_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <main id="content" aria-busy="true" className="flex flex-1 flex-col items-center justify-center gap-4 text-fg-3">
      <output className="skeleton flex items-center gap-2 bg-transparent! px-6 text-center text-small">
        {isOnline && <Spinner />}
        {t(isOnline ? 'common.loading' : 'shell.offline_screen')}
      </output>
      {isOnline && isLong && <ReloadButton />}
    </main>
  )
}
