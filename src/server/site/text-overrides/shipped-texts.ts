import en from '#messages/en.json' with { type: 'json' }
import { flattenMessages, type FlatTexts, keysFor } from '#messages/check-text.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { type Language, readMessages } from '#server/platform/i18n/messages.ts'

/** The shipped English texts by key, in the sequence of the file. */
export const ENGLISH_TEXTS: FlatTexts = flattenMessages(en)

interface ShippedTexts {
  readonly texts: FlatTexts
  /**
   * All text keys that the language can have, in the sequence of the English texts. Languages differ in their plural
   * forms.
   */
  readonly keys: readonly string[]
  readonly places: ReadonlyMap<string, number>
}

const read = new Map<Language, ShippedTexts>()

/** Returns the shipped texts of a language. The first call reads the file. */
export function shippedTexts(language: Language): ShippedTexts {
  const known = read.get(language)
  if (known !== undefined) return known
  const keys = keysFor(ENGLISH_TEXTS, LANGUAGES[language].tag)
  const languageTexts = {
    texts: flattenMessages(readMessages(language)),
    keys,
    places: new Map(keys.map((key, place) => [key, place])),
  }
  read.set(language, languageTexts)
  return languageTexts
}
