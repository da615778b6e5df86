/** The texts of a language by `section.name`. */
export type FlatTexts = ReadonlyMap<string, string>

const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/
/**
 * Counts 0 to 1,000, as they occur in the app. Special plural forms for a million and more fall back to the general
 * form.
 */
const COUNTS = Array.from({ length: 1001 }, (_, count) => count)

/** Flattens `{ common: { close: 'Close' } }` to `common.close` → `Close`. */
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

/** Returns the sorted names of a text's `{…}` placeholders. A translation must have the same names. */
export function placesIn(text: string): string {
  return [...new Set(Array.from(text.matchAll(/\{(\w+)\}/g), (match) => match[1] ?? ''))].toSorted().join(', ')
}

/** Returns the plural forms that a language uses for these counts: English has two, Arabic six, Japanese one. */
export function formsOf(tag: string): ReadonlySet<string> {
  const rules = new Intl.PluralRules(tag)
  return new Set(['other', ...COUNTS.map((count) => rules.select(count))])
}

/** Returns `orders` for `orders_few` if English has `orders_other`. Returns null when the key is not a plural. */
export function stemOf(english: FlatTexts, key: string): string | null {
  const stem = PLURAL.exec(key)?.[1]
  return stem !== undefined && english.has(`${stem}_other`) ? stem : null
}

/** Returns the English original of a key: the same key, or the general form of its plural. */
export function originalOf(english: FlatTexts, key: string): string | undefined {
  return english.get(key) ?? english.get(`${stemOf(english, key)}_other`)
}

/**
 * Whether a text has the same placeholders as the English one. A plural such as "One order" or "no orders" may omit the
 * number.
 */
export function hasSamePlaces(key: string, text: string, original: string): boolean {
  if (placesIn(text) === placesIn(original)) return true
  const form = PLURAL.exec(key)?.[2] ?? ''
  return ['zero', 'one', 'two'].includes(form) && placesIn(`${text}{count}`) === placesIn(original)
}

/**
 * Lists all keys of a language in the order of English. For a plural, the list has the forms that the language uses.
 */
export function keysFor(english: FlatTexts, tag: string): string[] {
  const forms = [...formsOf(tag)]
  return [...english.keys()].flatMap((key) => {
    const stem = stemOf(english, key)
    if (stem === null) return [key]
    return key.endsWith('_other') ? forms.map((form) => `${stem}_${form}`) : []
  })
}
