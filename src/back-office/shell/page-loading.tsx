import { Spinner } from '#ui/spinner.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Shown while a page's code loads or a session is being ended. A short delay prevents flicker. */
export function PageLoading() {
  return (
    <main id="content" aria-busy="true" className="grid min-h-[60dvh] place-items-center text-fg-3">
      <output className="skeleton flex items-center gap-2 bg-transparent!">
        <Spinner />
        {t('common.loading')}
      </output>
    </main>
  )
}
