import { UpdateToast } from '#web/app-install/update-toast.tsx'
import { AccountToasts } from '#web/toasts/account-toasts.tsx'
import { AlertToasts } from '#web/toasts/alert-toasts.tsx'
import { NewDeviceToasts } from '#web/toasts/new-device-toasts.tsx'
import { RefusalToasts } from '#web/toasts/refusal-toasts.tsx'
import { ResultToasts } from '#web/toasts/result-toasts.tsx'

/** The toasts that appear on every screen. */
export function LiveToasts() {
  return (
    <>
      <AccountToasts />
      <ResultToasts />
      <RefusalToasts />
      <NewDeviceToasts />
      <AlertToasts />
      <UpdateToast />
    </>
  )
}
