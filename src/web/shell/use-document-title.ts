import { useEffect } from 'react'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { useSettings } from '#web/site/settings.ts'

/** Sets the title of the browser's tab and history: the screen's title with the site's name, in practice with a mark. */
export function useDocumentTitle(title: string): void {
  const site = useSettings()?.site_name ?? 'Fairwick'
  const isPractice = useAccount() === 'practice'
  useEffect(() => {
    const whole = title === site ? site : `${title} · ${site}`
    document.title = isPractice ? `${t('shell.practice')} · ${whole}` : whole
  }, [title, site, isPractice])
}
