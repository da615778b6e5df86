import { useCallback, useState } from 'react'
import type { Reply } from '#web/api/call.ts'
import type { Loaded } from '#web/api/use-loaded.ts'
import { t } from '#web/i18n/t.ts'
import { latePart } from '#web/parts/late-part.tsx'

/** Loaded when it is first opened: most users agree without reading. */
const TermsSheet = latePart(async () => (await import('#web/screens/signup/terms-sheet.tsx')).TermsSheet)

/** Opens the terms over the form, so that typed values stay. */
export function TermsButton({ terms }: { terms: Loaded<Reply<'GET /user/terms'>> }) {
  const [state, setState] = useState<'unused' | 'open' | 'closed'>('unused')
  const close = useCallback(() => setState('closed'), [])
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setState('open')}
        className="min-h-11 shrink-0 px-1 text-small font-semibold text-brand underline-offset-4 hover:underline"
      >
        {t('signup.read_terms')}
      </button>
      {state !== 'unused' && <TermsSheet terms={terms} open={state === 'open'} onClose={close} />}
    </>
  )
}
