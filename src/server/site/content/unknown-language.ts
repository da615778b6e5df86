import { type Refusal, refuse } from '#core/result.ts'
import { isLanguage } from '#server/platform/i18n/messages.ts'

/** Refuses texts in an unknown language. Returns null when all languages are known. */
export function unknownLanguage(texts: Readonly<Record<string, unknown>>): Refusal<'language_unknown'> | null {
  const language = Object.keys(texts).find((code) => !isLanguage(code))
  return language === undefined ? null : refuse('language_unknown', { params: { language } })
}
