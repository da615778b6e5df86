import { backOfficeTexts as english } from '#messages/back-office/english.ts'
import { fillText, findText, type Stem, type TextParams } from '#messages/find-text.ts'
import { LANGUAGES } from '#messages/languages.ts'

type English = typeof english
type Section = keyof English
type KeyOf<S extends Section> = S extends Section ? `${S}.${Stem<keyof English[S] & string>}` : never
/** Every text of the back office, as 'section.name'. */
export type AdminKey = KeyOf<Section>

/** The text of a key; `{name}` is replaced by `params.name`, and `params.count` picks the plural. */
export function t(key: AdminKey, params: TextParams = {}): string {
  return fillText(findText(english, key, params, LANGUAGES.en) ?? key, params, LANGUAGES.en)
}
