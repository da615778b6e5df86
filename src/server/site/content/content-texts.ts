import type { ContentEntry } from '#server/site/content/content.queries.ts'
import { SHIPPED_CONTENT, type SiteFacts } from '#server/site/content/shipped-content.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'

export interface Words {
  readonly title: string
  readonly text: string
}

/** For whom, and on what site. */
export interface Reader {
  readonly language: Language
  readonly siteLanguage: Language
  readonly facts: SiteFacts
}

/**
 * The words of an entry. What the operator wrote comes first: in the reader's language, else in the site's, else in
 * English, else in whatever there is. Our translations would say something else than the operator does, so they count
 * only where the operator wrote nothing. `{count}`, `{since}` and `{proofs}` are figures of the running site in both.
 */
export function wordsOf(entry: ContentEntry, { language, siteLanguage, facts }: Reader): Words {
  const { texts } = entry
  const written = texts[language] ?? texts[siteLanguage] ?? texts['en'] ?? Object.values(texts)[0]
  if (written) {
    const figures = figuresOf(facts)
    return { title: fill(written.title, figures), text: fill(written.text, figures) }
  }
  return shippedWords(entry, language, facts) ?? { title: entry.key, text: '' }
}

/** Our own words for an entry; null for what did not come with the installation. */
export function shippedWords(
  entry: Pick<ContentEntry, 'kind' | 'key'>,
  language: Language,
  facts: SiteFacts,
): Words | null {
  const shipped = SHIPPED_CONTENT.find(({ kind, key }) => kind === entry.kind && key === entry.key)
  if (!shipped) return null
  const { title, text } = shipped.words(facts)
  const figures = figuresOf(facts)
  return { title: message(title, language, figures), text: message(text, language, figures) }
}

export function figuresOf({ markets: count, operatingSince: since, proofsSince: proofs }: SiteFacts) {
  return { count, since, proofs }
}

function fill(text: string, figures: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(figures[name] ?? place))
}
