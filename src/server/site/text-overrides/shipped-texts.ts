import en from '#messages/en.json' with { type: 'json' }
import { flattenMessages, type FlatTexts, keysFor } from '#messages/check-text.ts'
import { LANGUAGES } from '#messages/languages.ts'
import { type Language, readMessages } from '#server/platform/i18n/messages.ts'

/** What English says, by key, in the order of the file. */
export const ENGLISH_TEXTS: FlatTexts = flattenMessages(en)

interface ShippedTexts {
  readonly texts: FlatTexts
  /** Every text the language can have, in the order of English. */
  readonly keys: readonly string[]
  readonly places: ReadonlyMap<string, number>
}

const read = new Map<Language, ShippedTexts>()

/** What we ship in a language; read when it is first asked for. */
export function shippedTexts(language: Language): ShippedTexts {
  const known = read.get(language)
  if (known !== undefined) return known
  const keys = keysFor(ENGLISH_TEXTS, LANGUAGES[language].tag)
  const made = {
    texts: flattenMessages(readMessages(language)),
    keys,
    places: new Map(keys.map((key, place) => [key, place])),
  }
  read.set(language, made)
  return made
}
