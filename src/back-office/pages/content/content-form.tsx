import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { EditorColumns } from '#back-office/editor/editor-page.tsx'
import { fieldError, isAboutField } from '#back-office/editor/field-error.ts'
import { LanguageChips } from '#back-office/editor/language-chips.tsx'
import { RemoveButton, SaveBar } from '#back-office/editor/save-bar.tsx'
import { fromUtcField } from '#back-office/editor/utc-field.ts'
import { ContentDetails } from '#back-office/pages/content/content-details.tsx'
import { ContentPreview } from '#back-office/pages/content/content-preview.tsx'
import {
  bodyOf,
  type Draft,
  draftOf,
  type Entry,
  NO_WORDS,
  shownTo,
  writtenIn,
} from '#back-office/pages/content/draft.ts'
import type { Kind } from '#back-office/pages/content/kinds.ts'
import { WordsFields } from '#back-office/pages/content/words-fields.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

const FIELDS = ['key', 'title', 'link', 'icon', 'place', 'published_at']

interface ContentFormProps {
  kind: Kind
  /** The stored entry; null for a new one. */
  entry: Entry | null
  language: LanguageCode
  onLanguage: (code: LanguageCode) => void
  onSaved: (key: string) => void
  onLoadAgain: () => void
  /** Called with true when the removal starts, and with false when it fails. */
  onGoing: (isGoing: boolean) => void
  onGone: () => void
}

export function ContentForm({
  kind,
  entry: stored,
  language,
  onLanguage,
  onSaved,
  onLoadAgain,
  onGoing,
  onGone,
}: ContentFormProps) {
  const toast = useToast()
  // The entry when the edit begins. A refetch must not change the version that is sent with the typed values.
  const [entry] = useState(stored)
  const mayEdit = useMay('content.edit')
  const [draft, setDraft] = useState(() => draftOf(entry))
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const key = entry?.key ?? draft.key.trim()
  const save = useStaffChange(staffCalls.staffSaveContent, {
    onDone: () => {
      toast({ tone: 'success', text: t(draft.isPublished ? 'content.saved' : 'content.saved_hidden') })
      onSaved(key)
    },
  })
  const remove = useStaffChange(staffCalls.staffRemoveContent, {
    onStart: () => onGoing(true),
    onFailed: () => onGoing(false),
    onDone: () => {
      toast({ tone: 'success', text: t('content.removed') })
      onGone()
    },
  })
  const written = writtenIn(draft)
  const shown = shownTo(draft, entry, language)
  const failure = save.error ?? remove.error
  const words = draft.texts[language] ?? NO_WORDS
  return (
    <EditorColumns
      form={
        <fieldset disabled={!mayEdit} className="contents">
          {!mayEdit && <p className="text-fg-2">{t('content.read_only')}</p>}
          {entry === null && (
            <Field
              label={t('content.key')}
              hint={t('content.key_hint')}
              error={fieldError(save.error, 'key')}
              value={draft.key}
              maxLength={100}
              ltr
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ key: event.target.value })}
            />
          )}
          <LanguageChips value={language} written={new Set(written)} onChange={onLanguage} />
          {shown.from !== language && (
            <p className="text-fg-2">
              {shown.from !== null
                ? t('content.falls_in', { language: LANGUAGES[language].name, other: LANGUAGES[shown.from].name })
                : entry?.is_shipped
                  ? t('content.falls_ours')
                  : null}
            </p>
          )}
          <WordsFields
            kind={kind}
            language={language}
            words={words}
            ours={entry?.shipped[language]}
            error={fieldError(save.error, 'title')}
            onChange={(next) => change({ texts: { ...draft.texts, [language]: next } })}
          />
          <ContentDetails kind={kind} draft={draft} failure={save.error} onChange={change} />
          <Checkbox checked={draft.isPublished} onChange={(event) => change({ isPublished: event.target.checked })}>
            {t('content.on_site')}
          </Checkbox>
          {mayEdit && (
            <SaveBar
              isSaving={save.isPending}
              onSave={() => save.mutate({ params: { kind, key: key || '-' }, body: bodyOf(draft, entry) })}
              failure={isAboutField(failure, FIELDS) ? null : failure}
              onLoadAgain={onLoadAgain}
              remove={
                entry !== null &&
                (!entry.is_shipped || entry.is_published) && (
                  <RemoveButton
                    label={t(entry.is_shipped ? 'content.hide' : 'content.remove')}
                    isMild={entry.is_shipped}
                    isRemoving={remove.isPending}
                    onRemove={() =>
                      remove.mutate({ params: { kind, key: entry.key }, body: { version: entry.version } })
                    }
                  />
                )
              }
            />
          )}
        </fieldset>
      }
      aside={
        <ContentPreview
          kind={kind}
          words={shown.words}
          language={language}
          icon={draft.icon}
          link={draft.link.trim()}
          since={fromUtcField(draft.since)}
        />
      }
    />
  )
}
