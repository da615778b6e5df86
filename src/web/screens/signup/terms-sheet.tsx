import { parseMarkup } from '#core/content/markup.ts'
import { RichText } from '#ui/rich-text.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { LoadError, Skeleton } from '#ui/states.tsx'
import type { Reply } from '#web/api/call.ts'
import { failureText } from '#web/api/call-failure.ts'
import type { Loaded } from '#web/api/use-loaded.ts'
import { t } from '#web/i18n/t.ts'

interface TermsSheetProps {
  terms: Loaded<Reply<'GET /user/terms'>>
  open: boolean
  onClose: () => void
}

/** The terms of use that the sign-up agrees to. */
export function TermsSheet({ terms, open, onClose }: TermsSheetProps) {
  const title = terms.state === 'ready' ? terms.data.current.title : t('signup.terms')
  return (
    <Sheet open={open} onClose={onClose} title={title} closeLabel={t('common.close')}>
      {terms.state === 'ready' ? (
        <RichText blocks={parseMarkup(terms.data.current.text)} className="pb-4 text-fg-2" />
      ) : terms.state === 'failed' ? (
        <LoadError reason={failureText(terms.error)} retryLabel={t('common.try_again')} onRetry={terms.retry} />
      ) : (
        <div aria-busy="true" className="pb-4">
          <Skeleton height={160} width="100%" />
        </div>
      )}
    </Sheet>
  )
}
