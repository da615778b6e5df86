/** The texts of a language, as `section.name` → words. */
export type FlatTexts = ReadonlyMap<string, string>

const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/
/** Counts people meet here. What a language has for a million and more falls back to its general form. */
const COUNTS = Array.from({ length: 1001 }, (_, count) => count)

/** `{ common: { close: 'Close' } }` as `common.close` → `Close`. */
export function flattenMessages(messages: object, path = ''): Map<string, string> {
  const flat = new Map<string, string>()
  for (const [name, value] of Object.entries(messages) as [string, unknown][]) {
    if (typeof value === 'string') flat.set(path + name, value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, text] of flattenMessages(value, `${path}${name}.`)) flat.set(key, text)
    }
  }
  return flat
}

/** The names in `{…}` places, sorted: a translation must have the same. */
export function placesIn(text: string): string {
  return [...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? ''))].toSorted().join(', ')
}

/** The forms that the counts people meet need: English has two, Arabic six, Japanese one. */
export function formsOf(tag: string): ReadonlySet<string> {
  const rules = new Intl.PluralRules(tag)
  return new Set(['other', ...COUNTS.map((count) => rules.select(count))])
}

/** `orders` for `orders_few` when English has `orders_other`; null for what is no plural. */
export function stemOf(english: FlatTexts, key: string): string | null {
  const stem = PLURAL.exec(key)?.[1]
  return stem !== undefined && english.has(`${stem}_other`) ? stem : null
}

/** What English says there: the same text, or the general form of the plural it belongs to. */
export function originalOf(english: FlatTexts, key: string): string | undefined {
  return english.get(key) ?? english.get(`${stemOf(english, key)}_other`)
}

/** Whether a text fills in the same places as English does. "One order" and "no orders" need no figure. */
export function hasSamePlaces(key: string, text: string, original: string): boolean {
  if (placesIn(text) === placesIn(original)) return true
  const form = PLURAL.exec(key)?.[2] ?? ''
  return ['zero', 'one', 'two'].includes(form) && placesIn(`${text}{count}`) === placesIn(original)
}

/** Every text a language can have, in the order of English: of a plural the forms that the language distinguishes. */
export function keysFor(english: FlatTexts, tag: string): string[] {
  const forms = [...formsOf(tag)]
  return [...english.keys()].flatMap((key) => {
    const stem = stemOf(english, key)
    if (stem === null) return [key]
    return key.endsWith('_other') ? forms.map((form) => `${stem}_${form}`) : []
  })
}
