import english from '#messages/en.json' with { type: 'json' }
import { fillText, findText, type Stem, type TextParams, type Texts } from '#messages/find-text.ts'
import { FALLBACK_LANGUAGE, type Language, LANGUAGES } from '#messages/languages.ts'
import { loadedTexts } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'

type English = typeof english
type Section = keyof English
type KeyOf<S extends Section> = S extends Section ? `${S}.${Stem<keyof English[S] & string>}` : never
/** Every text there is, as 'section.name'. */
export type MessageKey = KeyOf<Section>

/**
 * The text of a key in the chosen language, English where it has none. `{name}` is replaced by `params.name`;
 * with `params.count` a plural text is picked by the language's rules.
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
