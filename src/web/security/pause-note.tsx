import { t } from '#web/i18n/t.ts'
import { useSettings } from '#web/site/settings.ts'

interface PauseNoteProps {
  className?: string
  /** The minimum pause after this change, in hours. It applies if it is longer than the site's usual pause. */
  minHours?: number
}

/** States before a change how long it will block withdrawals. */
export function PauseNote({ className = '', minHours = 0 }: PauseNoteProps) {
  const hours = Math.max(useSettings()?.withdrawal_pause_hours ?? 0, minHours)
  if (hours === 0) return null
  return <p className={`text-label text-fg-2 ${className}`}>{t('security.pause_note', { hours })}</p>
}
