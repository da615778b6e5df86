import { type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { NO_WORDS, type Words } from '#back-office/pages/content/draft.ts'
import type { Kind } from '#back-office/pages/content/kinds.ts'
import { t } from '#back-office/i18n/t.ts'

interface WordsFieldsProps {
  kind: Kind
  language: LanguageCode
  words: Words
  /** The text shipped with the product, if there is one. */
  ours: Words | undefined
  error: string | undefined
  onChange: (words: Words) => void
}

/** The fields for title and text in one language. */
export function WordsFields({ kind, language, words, ours, error, onChange }: WordsFieldsProps) {
  const { tag, dir } = LANGUAGES[language]
  const isQuestion = kind === 'question'
  const isEmpty = words.title === '' && words.text === ''
  const title = (
    <Field
      label={t(isQuestion ? 'content.question_title' : 'content.title')}
      lang={tag}
      dir={dir}
      value={words.title}
      maxLength={120}
      error={error}
      onChange={(event) => onChange({ ...words, title: event.target.value })}
    />
  )
  return (
    <>
      {title}
      <TextArea
        label={t(isQuestion ? 'content.answer' : 'content.text')}
        hint={kind === 'banner' ? undefined : t('content.markup_hint')}
        lang={tag}
        dir={dir}
        rows={kind === 'banner' ? 3 : kind === 'question' ? 6 : 14}
        value={words.text}
        maxLength={20_000}
        onChange={(event) => onChange({ ...words, text: event.target.value })}
      />
      {isEmpty && ours ? (
        <Button variant="quiet" size="s" className="self-start" onClick={() => onChange(ours)}>
          {t('content.copy_ours')}
        </Button>
      ) : (
        !isEmpty && (
          <Button variant="quiet" size="s" className="self-start" onClick={() => onChange(NO_WORDS)}>
            {t('content.clear')}
          </Button>
        )
      )}
    </>
  )
}
