import type { Language } from '#messages/languages.ts'

/** The texts of one language by section and name. Any text may be missing. */
export type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>
/** Values of the `{name}` placeholders. `count` also selects the plural form. */
export type TextParams = Readonly<Record<string, string | number>>
/**
 * The key under which code requests a text. `orders` stands for the plural texts `orders_one`, `orders_other` and
 * further forms.
 */
export type Stem<Name> = Name extends `${infer Start}_other` ? Start | Name : Name

/**
 * Finds the text of a `section.name`, with the plural form for the count. Undefined when the language has no such text.
 */
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
 * Replaces the placeholders. Numbers are formatted for the language with Western digits. In right-to-left languages
 * each value keeps its own direction, so that signs and symbols stay on the right side.
 */
export function fillText(text: string, params: TextParams, language: Language): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = params[name]
    if (value === undefined) return place
    const written = typeof value === 'number' ? writeNumber(value, language.tag) : value
    return isolated(written, language)
  })
}

/** Wraps a text so that it keeps its own direction within a right-to-left language. */
export function isolated(text: string, { dir }: Language): string {
  return dir === 'rtl' && !DIGITS.test(text) ? `${ISOLATE}${text}${END_ISOLATE}` : text
}

const DIGITS = /^\d*$/
const ISOLATE = '\u2068'
const END_ISOLATE = '\u2069'

function pluralOf(section: Texts[string], name: string, count: number, tag: string): string | undefined {
  return section?.[`${name}_${pluralRules(tag).select(count)}`] ?? section?.[`${name}_other`]
}

/** Cached, as creating these objects takes far longer than using them. */
const rules = new Map<string, Intl.PluralRules>()
const formats = new Map<string, Intl.NumberFormat>()

function pluralRules(tag: string): Intl.PluralRules {
  const known = rules.get(tag) ?? new Intl.PluralRules(tag)
  rules.set(tag, known)
  return known
}

/** Small counts look the same in all our languages. A format takes 10 ms to create, and 40 ms on a slow phone. */
function writeNumber(value: number, tag: string): string {
  return Number.isInteger(value) && value >= 0 && value < 1_000 ? String(value) : numberFormat(tag).format(value)
}

function numberFormat(tag: string): Intl.NumberFormat {
  const known = formats.get(tag) ?? new Intl.NumberFormat([tag, 'en'], { numberingSystem: 'latn' })
  formats.set(tag, known)
  return known
}
