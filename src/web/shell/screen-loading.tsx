import { useEffect, useState } from 'react'
import { useIsOnline } from '#ui/state/online.ts'
import { Spinner } from '#ui/spinner.tsx'
import { t } from '#web/i18n/t.ts'
import { ReloadButton } from '#web/shell/error-boundary.tsx'

/** After this the network may well be one that swallows requests: a new one often gets through. */
const LONG_MS = 10_000

/** While a screen's code is on its way; held back a little, so that it never flickers. */
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
