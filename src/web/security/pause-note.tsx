import { t } from '#web/i18n/t.ts'
import { useSettings } from '#web/site/settings.ts'

/** States before a change how long it will block withdrawals. */
export function PauseNote({ className = '' }: { className?: string }) {
  const hours = useSettings()?.withdrawal_pause_hours ?? 0
  if (hours === 0) return null
  return <p className={`text-label text-fg-2 ${className}`}>{t('security.pause_note', { hours })}</p>
}
