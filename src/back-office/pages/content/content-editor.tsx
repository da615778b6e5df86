import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { LanguageCode } from '#messages/languages.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { EditorPage } from '#back-office/editor/editor-page.tsx'
import { ContentForm } from '#back-office/pages/content/content-form.tsx'
import { TermsVersions } from '#back-office/pages/content/terms-versions.tsx'
import { type Kind, NEW } from '#back-office/pages/content/kinds.ts'
import { t } from '#back-office/i18n/t.ts'

interface ContentEditorProps {
  kind: Kind
  /** Key of the entry; `NEW` for a new one. */
  contentKey: string
  back: string
  onCreated: (key: string) => void
  onGone: () => void
}

/** The editor of one page, post, question or banner in all its languages. */
export function ContentEditor({ kind, contentKey, back, onCreated, onGone }: ContentEditorProps) {
  const isNew = contentKey === NEW
  // While the entry is being removed, change notices must not refetch it.
  const [isGoing, setGoing] = useState(false)
  const query = useStaffQuery(
    staffCalls.staffContentEntry,
    { params: { kind, key: contentKey } },
    { enabled: !isNew && !isGoing },
  )
  const [language, setLanguage] = useState<LanguageCode>('en')
  // Counts how often the stored version has replaced the typed values. Each count starts a new form.
  const [round, setRound] = useState(0)
  // The version that the form of this round shows. A refetch must not change the version that is announced.
  const [shown, setShown] = useState<{ readonly round: number; readonly version: number } | null>(null)
  if (query.data && shown?.round !== round) setShown({ round, version: query.data.version })
  const loadAgain = () => void query.refetch().then(() => setRound((before) => before + 1))
  return (
    <EditorPage
      title={isNew ? t(`content.new_${kind}`) : (query.data?.title ?? contentKey)}
      back={`/admin${back}`}
      query={isNew ? null : query}
    >
      {(isNew || query.data) && (
        <ContentForm
          key={round}
          kind={kind}
          entry={isNew ? null : (query.data ?? null)}
          language={language}
          onLanguage={setLanguage}
          onSaved={(key) => (isNew ? onCreated(key) : loadAgain())}
          onLoadAgain={loadAgain}
          onGoing={setGoing}
          onGone={onGone}
        />
      )}
      {kind === 'page' && contentKey === 'terms' && shown !== null && (
        <TermsVersions
          draftVersion={shown.version}
          isOld={query.data?.version !== shown.version}
          onLoadAgain={loadAgain}
        />
      )}
    </EditorPage>
  )
}
