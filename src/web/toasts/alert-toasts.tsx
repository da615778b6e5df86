import { useEffect } from 'react'
import { useToast } from '#ui/toast.tsx'
import { t } from '#web/i18n/t.ts'
import { onFiredAlert } from '#web/session/fired-alerts.ts'
import { useGo } from '#web/session/navigation.ts'

/** Shows a toast when a price alert fires, with a link to the alerts. Renders nothing itself. */
export function AlertToasts() {
  const toast = useToast()
  const go = useGo()
  useEffect(
    () =>
      onFiredAlert(({ symbol, price }) =>
        toast({
          tone: 'info',
          text: t('live.alert', { symbol, price: `\u2066${price}\u2069` }),
          action: { label: t('live.open'), onPress: () => go('/alerts') },
        }),
      ),
    [toast, go],
  )
  return null
}
