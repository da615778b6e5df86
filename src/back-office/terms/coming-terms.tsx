import { lazy, Suspense } from 'react'
import type { TermsPart } from '#core/markets/terms/terms-entry.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { t } from '#back-office/i18n/t.ts'
import { useTermsState } from '#back-office/terms/use-announce-terms.ts'

const TermsPreview = lazy(async () => ({
  default: (await import('#back-office/terms/terms-preview.tsx')).TermsPreview,
}))

/** The announced changes of one subject, such as a duration or a symbol, as users read them. */
export function ComingTerms({ parts, of }: { parts: readonly TermsPart[]; of: string }) {
  const state = useTermsState()
  const coming = (state.data?.coming ?? []).filter((one) => one.of === of && parts.includes(one.what))
  if (coming.length === 0) return null
  return (
    <Block title={t('markets.state_coming')}>
      <ul className="flex flex-col gap-2">
        {coming.map(({ n, applies_ms: appliesMs, ...change }) => (
          <li key={n}>
            <Suspense>
              <TermsPreview change={change} appliesMs={appliesMs} />
            </Suspense>
          </li>
        ))}
      </ul>
    </Block>
  )
}
