import type { ReactNode } from 'react'
import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'
import { useSettings } from '#web/site/settings.ts'

/** Explains where codes are on an installation that cannot send messages. `children` are below it. */
export function OutboxHint({ children }: { children?: ReactNode }) {
  if (useSettings()?.outbox !== true) return null
  return (
    <Alert tone="info" title={t('verification.outbox_title')}>
      {t('verification.outbox_text')}{' '}
      <Link href="/outbox" className="font-semibold text-brand underline underline-offset-4">
        {t('verification.outbox_link')}
      </Link>
      {children}
    </Alert>
  )
}
