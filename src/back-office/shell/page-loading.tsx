import { Spinner } from '#ui/spinner.tsx'
import { t } from '#back-office/i18n/t.ts'

/** While a page's code is on its way, or a session is being ended; held back a little, so that it never flickers. */
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
