import english from '#messages/en.json' with { type: 'json' }
import { chosenCatalogue } from '#web/i18n/catalogue.ts'
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
  const text = find(chosenCatalogue(), section, name, params) ?? find(english, section, name, params) ?? key
  return text.replace(/\{(\w+)\}/g, (whole, param: string) => String(params[param] ?? whole))
}

type Catalogues = Readonly<Record<string, Readonly<Record<string, string>>>>

function find(catalogue: Catalogues, section: string, name: string, params: MessageParams): string | undefined {
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
