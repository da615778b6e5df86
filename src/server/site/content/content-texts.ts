import type { ContentEntry } from '#server/site/content/content.queries.ts'
import { SHIPPED_CONTENT, type SiteFacts } from '#server/site/content/shipped-content.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'

export interface ContentText {
  readonly title: string
  readonly text: string
}

/** The reader's language and the site. */
export interface Reader {
  readonly language: Language
  readonly siteLanguage: Language
  readonly facts: SiteFacts
}

/**
 * Selects the texts of an entry. The operator's texts come first: in the reader's language, else the site's, else
 * English, else any. Shipped translations would contradict the operator's texts, so they apply only when the operator
 * wrote none. `{count}`, `{since}` and `{proofs}` are replaced by figures of the running site in both kinds of text.
 */
export function contentTextOf(
  entry: Pick<ContentEntry, 'kind' | 'key' | 'texts'>,
  { language, siteLanguage, facts }: Reader,
): ContentText {
  const { texts } = entry
  const written = texts[language] ?? texts[siteLanguage] ?? texts['en'] ?? Object.values(texts)[0]
  if (written) {
    const figures = figuresOf(facts)
    return { title: fill(written.title, figures), text: fill(written.text, figures) }
  }
  return shippedContentText(entry, language, facts) ?? { title: entry.key, text: '' }
}

/** Returns the shipped texts of an entry. Null when the entry was not shipped. */
export function shippedContentText(
  entry: Pick<ContentEntry, 'kind' | 'key'>,
  language: Language,
  facts: SiteFacts,
): ContentText | null {
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
