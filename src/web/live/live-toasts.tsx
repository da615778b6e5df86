import { NewDeviceToasts } from '#web/live/new-device-toasts.tsx'
import { ResultToasts } from '#web/live/result-toasts.tsx'

/** What is told on every screen, as it happens. */
export function LiveToasts() {
  return (
    <>
      <ResultToasts />
      <NewDeviceToasts />
    </>
  )
}
