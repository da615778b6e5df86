import type { staffCalls } from '#contract/back-office/staff-calls.ts'
import { LANGUAGE_CODES, type LanguageCode } from '#messages/languages.ts'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { fromUtcField, toUtcField } from '#back-office/editor/utc-field.ts'
import { plainNumber } from '#back-office/forms/plain-number.ts'

export type Entry = StaffReply<typeof staffCalls.staffContentEntry>

export interface Words {
  readonly title: string
  readonly text: string
}

/** An entry as it is being edited. */
export interface Draft {
  readonly key: string
  readonly icon: string
  readonly link: string
  readonly place: string
  readonly since: string
  readonly isPublished: boolean
  readonly texts: Readonly<Record<string, Words>>
}

export const NO_WORDS: Words = { title: '', text: '' }

export function draftOf(entry: Entry | null): Draft {
  return {
    key: entry?.key ?? '',
    icon: entry?.icon ?? '',
    link: entry?.link ?? '',
    place: entry === null ? '' : String(entry.place),
    since: entry === null ? '' : toUtcField(entry.published_at),
    isPublished: entry?.is_published ?? true,
    texts: entry?.texts ?? {},
  }
}

/** Builds the request body that saves an entry. */
export function bodyOf(draft: Draft, entry: Entry | null) {
  const isSameTime = entry !== null && draft.since === toUtcField(entry.published_at)
  return {
    version: entry?.version ?? 0,
    icon: draft.icon,
    link: draft.link.trim(),
    place: draft.place.trim() === '' ? null : plainNumber(draft.place),
    is_published: draft.isPublished,
    published_at: isSameTime ? null : fromUtcField(draft.since),
    texts: Object.fromEntries(writtenIn(draft).map((code) => [code, draft.texts[code] ?? NO_WORDS])),
  }
}

/** Lists the languages that have a text. */
export function writtenIn({ texts }: Pick<Draft, 'texts'>): LanguageCode[] {
  return LANGUAGE_CODES.filter(
    (code) => (texts[code]?.title ?? '').trim() !== '' || (texts[code]?.text ?? '').trim() !== '',
  )
}

/**
 * Returns the text that a reader of a language sees, and the language of that text. Missing texts follow the site's
 * fallback rule.
 */
export function shownTo(
  draft: Pick<Draft, 'texts'>,
  entry: Entry | null,
  language: LanguageCode,
): { readonly words: Words; readonly from: LanguageCode | null } {
  const written = writtenIn(draft)
  const order = [language, entry?.site_language, 'en', written[0]]
  const from = written.find((code) => code === order.find((wanted) => written.some((one) => one === wanted))) ?? null
  const words = from === null ? (entry?.shipped[language] ?? NO_WORDS) : (draft.texts[from] ?? NO_WORDS)
  const { figures } = entry ?? {}
  return { from, words: { title: fill(words.title, figures), text: fill(words.text, figures) } }
}

function fill(text: string, figures: Readonly<Record<string, string | number>> | undefined): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => String(figures?.[name] ?? place))
}
