import { useEffect } from 'react'
import { useSettings } from '#web/site/settings.ts'

/** Sets the title of the browser's tab and history: the screen's title with the site's name. */
export function useDocumentTitle(title: string): void {
  const site = useSettings()?.site_name ?? 'Fairwick'
  useEffect(() => {
    document.title = title === site ? site : `${title} · ${site}`
  }, [title, site])
}
