import { parseMarkup } from '#core/content/markup.ts'
import { type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { Accordion } from '#ui/accordion.tsx'
import { Banner } from '#ui/banner.tsx'
import picture from '#ui/banner-picture.svg'
import { RichText } from '#ui/rich-text.tsx'
import type { Kind } from '#back-office/pages/content/kinds.ts'
import type { Words } from '#back-office/pages/content/draft.ts'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

interface ContentPreviewProps {
  kind: Kind
  words: Words
  language: LanguageCode
  icon: string
  link: string
  /** The publication time of a post, as an ISO time. */
  since: string | null
}

/** A preview of the entry, rendered with the components of the site. */
export function ContentPreview({ kind, words, language, icon, link, since }: ContentPreviewProps) {
  const { tag, dir } = LANGUAGES[language]
  const isEmpty = words.title === '' && words.text === ''
  return (
    <section aria-label={t('content.preview')}>
      <h2 className="pb-2 text-caption font-medium text-fg-3">{t('content.preview')}</h2>
      <div lang={tag} dir={dir} className="rounded-card bg-bg p-3 text-[0.9375rem]/[1.375rem]">
        {isEmpty ? (
          <p className="p-4 text-center text-small text-fg-3" dir="ltr" lang="en">
            {t('content.preview_empty')}
          </p>
        ) : kind === 'banner' ? (
          <div className="h-54 overflow-hidden rounded-sheet bg-ink text-on-ink">
            <Banner banner={{ ...words, icon, link }} picture={picture} readMore={t('content.read_more')} />
          </div>
        ) : kind === 'question' ? (
          <Accordion
            initial="one"
            items={[{ key: 'one', title: words.title, content: <RichText blocks={parseMarkup(words.text)} /> }]}
          />
        ) : (
          <article className="card p-4">
            <h3 className="pb-2 text-heading" dir="auto">
              {words.title}
            </h3>
            {kind === 'post' && since !== null && <p className="mb-3 text-caption text-fg-3">{time(since)}</p>}
            <RichText blocks={parseMarkup(words.text)} className="text-fg-2" />
          </article>
        )}
      </div>
    </section>
  )
}
