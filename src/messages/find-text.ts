import type { Language } from '#messages/languages.ts'

/** The texts of one language, by section and name; a language may lack any of them. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>
/** What fills the `{name}` places of a text; `count` also picks its plural. */
export type TextParams = Readonly<Record<string, string | number>>
/** `orders` for a plural too, whose texts are `orders_one`, `orders_other` and what else the language distinguishes. */
export type Stem<Name> = Name extends `${infer Start}_other` ? Start | Name : Name

/** The text of a `section.name`, of a plural the form that goes with the count; undefined where the language lacks it. */
export function findText(
  texts: Texts | undefined,
  key: string,
  { count }: TextParams,
  { tag }: Language,
): string | undefined {
  const at = key.indexOf('.')
  const section = texts?.[key.slice(0, at)]
  const name = key.slice(at + 1)
  if (section === undefined) return undefined
  const plural = typeof count === 'number' ? pluralOf(section, name, count, tag) : undefined
  return plural ?? section[name]
}

/**
 * Fills the places. Numbers are written as the language does, with Western digits. In languages that run from right to
 * left what is filled in keeps its own direction, so that no sign or symbol jumps to its other end.
 */
export function fillText(text: string, params: TextParams, language: Language): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name]
    if (value === undefined) return place
    const written = typeof value === 'number' ? numberFormat(language.tag).format(value) : value
    return isolated(written, language)
  })
}

/** Text that keeps its own direction, and its own order, within a language that runs from right to left. */
export function isolated(text: string, { dir }: Language): string {
  return dir === 'rtl' && !DIGITS.test(text) ? `${ISOLATE}${text}${END_ISOLATE}` : text
}

const DIGITS = /^\d*$/
const ISOLATE = '\u2068'
const END_ISOLATE = '\u2069'

function pluralOf(section: Texts[string], name: string, count: number, tag: string): string | undefined {
  return section?.[`${name}_${pluralRules(tag).select(count)}`] ?? section?.[`${name}_other`]
}

/** Making these takes far longer than using them. */
const rules = new Map<string, Intl.PluralRules>()
const formats = new Map<string, Intl.NumberFormat>()

function pluralRules(tag: string): Intl.PluralRules {
  const known = rules.get(tag) ?? new Intl.PluralRules(tag)
  rules.set(tag, known)
  return known
}

function numberFormat(tag: string): Intl.NumberFormat {
  const known = formats.get(tag) ?? new Intl.NumberFormat([tag, 'en'], { numberingSystem: 'latn' })
  formats.set(tag, known)
  return known
}
