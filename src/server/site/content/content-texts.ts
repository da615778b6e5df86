import type { ContentEntry } from '#server/site/content/content.queries.ts'
import { SHIPPED_CONTENT, type SiteFacts } from '#server/site/content/shipped-content.ts'
import { type Language, message } from '#server/platform/i18n/messages.ts'

export interface ContentText {
  readonly title: string
  readonly text: string
}

/** Facts that decide which text a reader sees: the reader's language, the site's language, and facts about the site. */
export interface Reader {
  readonly language: Language
  readonly siteLanguage: Language
  readonly facts: SiteFacts
}

/**
 * Selects the texts of an entry. If the operator wrote any, these apply: in the reader's language, else the site's,
 * else English, else any. A shipped translation beside them could contradict them, so shipped texts apply only when the
 * operator wrote none. In both kinds of text, figures of the running site replace `{count}`, `{since}` and `{proofs}`.
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
