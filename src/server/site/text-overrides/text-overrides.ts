import { type FlatTexts, stemOf } from '#messages/check-text.ts'
import type { Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, LANGUAGE_CODES } from '#messages/languages.ts'
import { isLockedText } from '#messages/locked-keys.ts'
import { oneAfterAnother } from '#server/platform/concurrency/one-after-another.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { contentHash } from '#server/audit/content-hash.ts'
import { type Language, setTextOverrides } from '#server/platform/i18n/messages.ts'
import { ENGLISH_TEXTS, shippedTexts } from '#server/site/text-overrides/shipped-texts.ts'
import { listOverrides, type TextOverride } from '#server/site/text-overrides/text-overrides.queries.ts'

/** The overridden texts of a language. */
export interface TextOverrides {
  /** A hash of the texts, by which browsers notice a change. Empty without overrides. */
  readonly version: string
  readonly texts: Texts
}

/** The overrides, kept in memory because browsers request them often and the server's own messages use them. */
export interface TextOverridesService {
  /** Returns the version of each language with overrides. */
  versions(): Readonly<Record<string, string>>
  of(language: Language): TextOverrides
  find(language: Language, key: string): TextOverride | undefined
  /** Lists the overridden texts of all languages. */
  changed(): readonly TextOverride[]
  reload(): Promise<void>
}

const NONE: TextOverrides = { version: '', texts: {} }

/**
 * Loads the overrides, and applies them to the server's own messages. Overrides of locked texts have no effect.
 */
export async function loadTextOverrides({ db, log }: Pick<Ctx, 'db' | 'log'>): Promise<TextOverridesService> {
  let overrides = new Map<string, TextOverride>()
  let byLanguage = new Map<Language, TextOverrides>()
  const reload = oneAfterAnother(async (): Promise<void> => {
    const rows = (await listOverrides(db)).filter(({ key }) => !isLockedText(ENGLISH_TEXTS, key))
    overrides = new Map(rows.map((row) => [`${row.language} ${row.key}`, row]))
    byLanguage = arrange(rows)
    setTextOverrides(new Map([...byLanguage].map(([language, { texts }]) => [language, texts])))
  })
  for (const { language, key, text } of await listOverrides(db)) {
    const isIgnored = text !== null && isLockedText(ENGLISH_TEXTS, key)
    if (isIgnored) log.warn({ language, key }, 'the override of a locked text has no effect')
  }
  await reload()
  return {
    versions: () => Object.fromEntries([...byLanguage].map(([language, { version }]) => [language, version])),
    of: (language) => byLanguage.get(language) ?? NONE,
    find: (language, key) => overrides.get(`${language} ${key}`),
    changed: () => [...overrides.values()].filter(({ text }) => text !== null),
    reload,
  }
}

function arrange(rows: readonly TextOverride[]): Map<Language, TextOverrides> {
  if (rows.length === 0) return new Map()
  const changed = new Map<Language, Map<string, string>>()
  for (const { language, key, text } of rows) {
    if (text === null) continue
    const ofLanguage = changed.get(language) ?? new Map<string, string>()
    changed.set(language, ofLanguage.set(key, text))
  }
  const english = changed.get(FALLBACK_LANGUAGE) ?? new Map<string, string>()
  const all = LANGUAGE_CODES.flatMap((language) => {
    const flat = whole(language, changed.get(language) ?? new Map<string, string>(), english)
    return flat.size === 0 ? [] : [[language, toTextOverrides(flat)] as const]
  })
  return new Map(all)
}

/**
 * Returns the texts of a language that differ from the shipped ones. For a text that the language lacks, it includes
 * the English override. For a changed plural, it includes all forms, because the app would replace a missing form by
 * the general form.
 */
function whole(language: Language, own: FlatTexts, english: FlatTexts): FlatTexts {
  const { texts: shipped, keys } = shippedTexts(language)
  const lent = [...english].filter(([key]) => !shipped.has(key) && language !== FALLBACK_LANGUAGE)
  const changed = new Map([...lent, ...own])
  const stems = new Set([...changed.keys()].map((key) => stemOf(ENGLISH_TEXTS, key)))
  const all = keys.flatMap((key) => {
    const stem = stemOf(ENGLISH_TEXTS, key)
    const text = changed.get(key) ?? (stem !== null && stems.has(stem) ? shipped.get(key) : undefined)
    return text === undefined ? [] : [[key, text] as const]
  })
  return new Map(all)
}

function toTextOverrides(flat: FlatTexts): TextOverrides {
  const texts: Record<string, Record<string, string>> = {}
  for (const [key, text] of flat) {
    const at = key.indexOf('.')
    const section = key.slice(0, at)
    texts[section] = { ...texts[section], [key.slice(at + 1)]: text }
  }
  return { version: contentHash(texts).slice(0, 16), texts }
}
