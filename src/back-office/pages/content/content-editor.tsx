import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { LanguageCode } from '#messages/languages.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { EditorPage } from '#back-office/editor/editor-page.tsx'
import { ContentForm } from '#back-office/pages/content/content-form.tsx'
import { type Kind, NEW } from '#back-office/pages/content/kinds.ts'
import { t } from '#back-office/i18n/t.ts'

interface ContentEditorProps {
  kind: Kind
  /** Of the entry; `NEW` for one to be added. */
  contentKey: string
  back: string
  onMade: (key: string) => void
  onGone: () => void
}

/** One page, post, question or banner, in all its languages. */
export function ContentEditor({ kind, contentKey, back, onMade, onGone }: ContentEditorProps) {
  const isNew = contentKey === NEW
  // What is taken away is not asked for any more, whoever says that something has changed.
  const [isGoing, setGoing] = useState(false)
  const query = useStaffQuery(
    staffCalls.adminContentEntry,
    { params: { kind, key: contentKey } },
    { enabled: !isNew && !isGoing },
  )
  const [language, setLanguage] = useState<LanguageCode>('en')
  // Counts how often what is stored took the place of what was typed.
  const [round, setRound] = useState(0)
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
          onSaved={(key) => (isNew ? onMade(key) : loadAgain())}
          onLoadAgain={loadAgain}
          onGoing={setGoing}
          onGone={onGone}
        />
      )}
    </EditorPage>
  )
}
