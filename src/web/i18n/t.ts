import english from '#messages/en.json' with { type: 'json' }
import { type Catalogue, chosenCatalogue, moreEnglishTexts } from '#web/i18n/catalogue.ts'
import { currentLanguage } from '#web/i18n/language.ts'

type English = typeof english
type Section = keyof English
/** `key` for a plural too, whose texts are `key_one`, `key_other` and what else the language distinguishes. */
type Stem<Name> = Name extends `${infer Start}_other` ? Start | Name : Name
type KeyOf<S extends Section> = S extends Section ? `${S}.${Stem<keyof English[S]> & string}` : never
/** Every text there is, as 'section.name'. */
export type MessageKey = KeyOf<Section>

export type MessageParams = Readonly<Record<string, string | number>>

/**
 * The text of a key in the chosen language, English where it has none. `{name}` is replaced by `params.name`;
 * with `params.count` a plural text is picked by the language's rules.
 */
export function t(key: MessageKey, params: MessageParams = {}): string {
  const at = key.indexOf('.')
  const [section, name] = [key.slice(0, at), key.slice(at + 1)]
  const catalogues: readonly Catalogue[] = [chosenCatalogue(), english, moreEnglishTexts()]
  const text = catalogues
    .map((catalogue) => find(catalogue, section, name, params))
    .find((found) => found !== undefined)
  return (text ?? key).replace(/\{(\w+)\}/g, (whole, param: string) => String(params[param] ?? whole))
}

function find(catalogue: Catalogue, section: string, name: string, params: MessageParams): string | undefined {
  const texts = catalogue[section]
  if (texts === undefined) return undefined
  const { count } = params
  if (typeof count === 'number') {
    const form = new Intl.PluralRules(currentLanguage().tag).select(count)
    const plural = texts[`${name}_${form}`] ?? texts[`${name}_other`]
    if (plural !== undefined) return plural
  }
  return texts[name]
}
