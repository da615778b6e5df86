import CloudOff from 'lucide-react/icons/cloud-off'
import { useIsOnline } from '#ui/state/online.ts'
import { t } from '#web/i18n/t.ts'
import { ReloadButton } from '#web/parts/error-boundary.tsx'
import { useTryAgain } from '#web/parts/use-try-again.ts'

interface ScreenFailedProps {
  /** Loads the screen's code; resolves to whether it is available now. */
  prepare: () => Promise<boolean>
  onReady: () => void
}

/** Shown in place of a screen whose code failed to load. It opens the screen as soon as the code loads. */
export function ScreenFailed({ prepare, onReady }: ScreenFailedProps) {
  const isOnline = useIsOnline()
  useTryAgain(prepare, onReady)
  return (
    <main id="content" className="m-auto flex flex-col items-center gap-4 p-6 text-center">
      <CloudOff size={28} strokeWidth={1.5} className="text-fg-3" aria-hidden="true" />
      <p role="alert">{t(isOnline ? 'shell.retry_screen' : 'shell.offline_screen')}</p>
      {isOnline && <ReloadButton />}
    </main>
  )
}
