import { backOfficeTexts as english } from '#messages/back-office/english.ts'
import { fillText, findText, type Stem, type TextParams } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'

type English = typeof english
type Section = keyof English
type KeyOf<S extends Section> = S extends Section ? `${S}.${Stem<keyof English[S] & string>}` : never
/** The key of a back office text, as 'section.name'. */
export type BackOfficeKey = KeyOf<Section>

/** Returns the text of a key. `{name}` is replaced by `params.name`, and `params.count` selects the plural form. */
export function t(key: BackOfficeKey, params: TextParams = {}): string {
  return fillText(findText(english, key, params, LANGUAGES.en) ?? key, params, LANGUAGES.en)
}
