import { type Refusal, refuse } from '#core/result.ts'
import { isLanguage } from '#server/platform/i18n/messages.ts'

/** Refuses words in a language that there is not; null when there is none such. */
export function unknownLanguage(texts: Readonly<Record<string, unknown>>): Refusal<'language_unknown'> | null {
  const language = Object.keys(texts).find((code) => !isLanguage(code))
  return language === undefined ? null : refuse('language_unknown', { params: { language } })
}
