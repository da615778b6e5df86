import english from '#messages/en.json' with { type: 'json' }
import { fillText, findText, type Stem, type TextParams, type Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, type Language, LANGUAGES } from '#messages/languages.ts'
import { loadedTexts } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'

type English = typeof english
type Section = keyof English
type KeyOf<S extends Section> = S extends Section ? `${S}.${Stem<keyof English[S] & string>}` : never
/** The key of a text, as 'section.name'. */
export type MessageKey = KeyOf<Section>

/**
 * Returns the text of a key in the chosen language, or in English if it has none. `{name}` is replaced by
 * `params.name`, and `params.count` selects the plural form of the language.
 */
export function t(key: MessageKey, params: TextParams = {}): string {
  const own = textIn(loadedTexts(), key, params, currentLanguage())
  return own ?? textIn([english], key, params, LANGUAGES[FALLBACK_LANGUAGE]) ?? key
}

function textIn(catalogues: readonly Texts[], key: MessageKey, params: TextParams, language: Language): string | null {
  for (const texts of catalogues) {
    const text = findText(texts, key, params, language)
    if (text !== undefined) return fillText(text, params, language)
  }
  return null
}
