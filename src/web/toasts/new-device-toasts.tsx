import { useEffect } from 'react'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'
import { useGo } from '#web/session/navigation.ts'
import { onNewDevice } from '#web/session/new-devices.ts'

/** Shows a toast when an unknown device logs in, with a link to log it out. Renders nothing itself. */
export function NewDeviceToasts() {
  const toast = useToast()
  const go = useGo()
  useEffect(
    () =>
      onNewDevice((device) =>
        toast({
          tone: 'danger',
          text: t('live.new_device', { device: device || '?' }),
          action: { label: t('live.open'), onPress: () => go('/account/security') },
        }),
      ),
    [toast, go],
  )
  return null
}
