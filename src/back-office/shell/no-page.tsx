import FileQuestion from 'lucide-react/icons/file-question-mark'
import { Empty } from '#ui/states.tsx'
import { t } from '#back-office/i18n/t.ts'

export function NoPage() {
  return (
    <main id="content" className="grid min-h-[60dvh] place-items-center">
      <Empty title={t('common.no_page')} icon={<FileQuestion size={28} strokeWidth={1.5} aria-hidden="true" />}>
        {t('common.no_page_why')}
      </Empty>
    </main>
  )
}
