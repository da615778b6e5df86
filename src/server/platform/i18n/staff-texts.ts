import { backOfficeTexts } from '#messages/back-office/english.ts'
import { fillText, findText } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'

/** A text of the back office by its key. */
export function staffText(key: string, params: Readonly<Record<string, string | number>>): string {
  const english = LANGUAGES.en
  return fillText(findText(backOfficeTexts, key, params, english) ?? key, params, english)
}
