import { parseMarkup } from '#core/content/markup.ts'
import { RichText } from '#ui/rich-text.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import { useLoaded } from '#web/api/use-loaded.ts'
import { t } from '#web/i18n/t.ts'

const SLUG = 'terms'

/** The terms of use: the operator's page of that name. */
export function TermsSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const loaded = useLoaded(loadTerms)
  const title = loaded.state === 'ready' ? loaded.data.name : t('signup.terms')
  return (
    <Sheet open={open} onClose={onClose} title={title} closeLabel={t('common.close')}>
      {loaded.state === 'ready' ? (
        <RichText blocks={parseMarkup(loaded.data.content)} className="pb-4 text-fg-2" />
      ) : loaded.state === 'failed' ? (
        <LoadError reason={failureText(loaded.error)} retryLabel={t('common.try_again')} onRetry={loaded.retry} />
      ) : (
        <div aria-busy="true" className="pb-4">
          <Skeleton height={160} width="100%" />
        </div>
      )}
    </Sheet>
  )
}

async function loadTerms(signal: AbortSignal): Promise<Reply<'GET /user/pages/:slug'>['page']> {
  return (await call('GET /user/pages/:slug', { params: { slug: SLUG }, signal })).data.page
}
