import SearchX from 'lucide-react/icons/search-x'
import { ButtonLink } from '#ui/button.tsx'
import { t } from '#web/i18n/t.ts'
import { MainHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'

export function NotFoundScreen() {
  return (
    <Page title={t('not_found.title')} header={<MainHeader />} className="justify-center">
      <div className="flex flex-col items-center py-10 text-center">
        <SearchX size={32} strokeWidth={1.5} className="text-fg-3" aria-hidden="true" />
        <h1 className="mt-3 text-title">{t('not_found.title')}</h1>
        <p className="mt-1 text-fg-2">{t('not_found.text')}</p>
        <ButtonLink href="/" wide={false} className="mt-6">
          {t('not_found.home')}
        </ButtonLink>
      </div>
    </Page>
  )
}
