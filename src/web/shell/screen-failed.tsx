import { useEffect, useEffectEvent } from 'react'
import CloudOff from 'lucide-react/icons/cloud-off'
import { useIsOnline } from '#ui/state/online.ts'
import { t } from '#web/i18n/t.ts'
import { ReloadButton } from '#web/shell/error-boundary.tsx'

/** Often enough to be there when the network is, seldom enough to cost nothing. */
const TRIED_EVERY_MS = 5_000

interface ScreenFailedProps {
  /** Fetches the screen's code; answers whether it is there now. */
  prepare: () => Promise<boolean>
  onReady: () => void
}

/** In the place of a screen whose code did not come: says so and opens it as soon as it can be had. */
export function ScreenFailed({ prepare, onReady }: ScreenFailedProps) {
  const isOnline = useIsOnline()
  const tryAgain = useEffectEvent(async () => {
    if (await prepare()) onReady()
  })
  useEffect(() => {
    if (!isOnline) return undefined
    void tryAgain()
    const timer = setInterval(() => void tryAgain(), TRIED_EVERY_MS)
    return () => clearInterval(timer)
  }, [isOnline])
  return (
    <main id="content" role="alert" className="m-auto flex flex-col items-center gap-4 p-6 text-center">
      <CloudOff size={28} strokeWidth={1.5} className="text-fg-3" aria-hidden="true" />
      <p>{t(isOnline ? 'shell.retry_screen' : 'shell.offline_screen')}</p>
      {isOnline && <ReloadButton />}
    </main>
  )
}
