import type { TextRow } from '#contract/back-office/texts.ts'
import { originalOf, placesIn } from '#messages/check-text.ts'
import { isLockedText } from '#messages/locked-keys.ts'
import type { Cursor } from '#server/platform/database/keyset-pagination.ts'
import type { Language } from '#server/platform/i18n/messages.ts'
import type { TextOverridesService } from '#server/site/text-overrides/text-overrides.ts'
import { ENGLISH_TEXTS, shippedTexts } from '#server/site/text-overrides/shipped-texts.ts'

export interface TextFilters {
  readonly language: Language
  /** A part of the text's key, of the English text, of the shipped translation or of the override. */
  readonly search: string | null
  readonly only: 'changed' | 'missing' | null
}

/** Returns a text of a language with its override. Returns null when no text has this key. */
export function findTextRow(textOverrides: TextOverridesService, language: Language, key: string): TextRow | null {
  const { texts, places } = shippedTexts(language)
  if (!places.has(key)) return null
  const override = textOverrides.find(language, key)
  const english = originalOf(ENGLISH_TEXTS, key) ?? ''
  return {
    key,
    language,
    english,
    shipped: texts.get(key) ?? null,
    own: override?.text ?? null,
    places: placesIn(english),
    version: override?.version ?? 0,
    is_locked: isLockedText(ENGLISH_TEXTS, key),
  }
}

/**
 * Lists texts in the sequence of the text files, without reading the database. `after` has the key of the last row of
 * the previous page.
 */
export function listTexts(
  textOverrides: TextOverridesService,
  { language, search, only }: TextFilters,
  { after, limit }: { readonly after: Cursor | null; readonly limit: number },
): TextRow[] {
  const { keys, places } = shippedTexts(language)
  const from = after === null ? 0 : (places.get(String(after[0])) ?? keys.length) + 1
  const wanted = search?.toLowerCase() ?? ''
  const rows: TextRow[] = []
  for (const key of keys.slice(from)) {
    const row = findTextRow(textOverrides, language, key)
    if (row === null || !fits(row, wanted, only)) continue
    rows.push(row)
    if (rows.length === limit) break
  }
  return rows
}

function fits({ key, english, shipped, own }: TextRow, search: string, only: TextFilters['only']): boolean {
  if (only === 'changed' && own === null) return false
  if (only === 'missing' && (shipped !== null || own !== null)) return false
  return [key, english, shipped ?? '', own ?? ''].some((text) => text.toLowerCase().includes(search))
}

/**
 * Counts the texts of a language that have neither a shipped translation nor an override, so users read them in
 * English.
 */
export function countMissing(textOverrides: TextOverridesService, language: Language): number {
  const { keys, texts } = shippedTexts(language)
  return keys.filter((key) => !texts.has(key) && (textOverrides.find(language, key)?.text ?? null) === null).length
}
