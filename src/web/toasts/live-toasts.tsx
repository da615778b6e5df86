import { NewDeviceToasts } from '#web/toasts/new-device-toasts.tsx'
import { ResultToasts } from '#web/toasts/result-toasts.tsx'

/** What is told on every screen, as it happens. */
export function LiveToasts() {
  return (
    <>
      <ResultToasts />
      <NewDeviceToasts />
    </>
  )
}
