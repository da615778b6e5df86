import { placesIn } from './message-use.ts'

type Flat = ReadonlyMap<string, string>

export interface TranslationProblems {
  /** Never right: texts that English does not have, or other places to fill in. */
  readonly wrong: readonly string[]
  /** Where English stands in for now, the forms of plurals included. */
  readonly missing: readonly string[]
}

const PLURAL = /^(.+)_(zero|one|two|few|many|other)$/
/** Counts people meet here. What a language has for a million and more falls back to its general form. */
const COUNTS = Array.from({ length: 1001 }, (_, count) => count)

/** What a language has that it should not, and what it lacks. `tag` says which forms its plurals have. */
export function checkTranslation(english: Flat, texts: Flat, tag: string): TranslationProblems {
  const forms = formsOf(tag)
  const wrong: string[] = []
  for (const [key, text] of texts) {
    const original = english.get(key) ?? english.get(`${stemOf(english, key)}_other`)
    if (original === undefined) wrong.push(`English has no ${key}`)
    else if (!hasSamePlaces(key, text, original)) wrong.push(`${key} has other places than English`)
  }
  const missing: string[] = []
  for (const key of english.keys()) {
    const stem = stemOf(english, key)
    if (stem === null) {
      if (!texts.has(key)) missing.push(key)
    } else if (key.endsWith('_other')) {
      for (const form of forms) if (!texts.has(`${stem}_${form}`)) missing.push(`${stem}_${form}`)
    }
  }
  return { wrong, missing }
}

/** The forms that the counts people meet need: English has two, Arabic six, Japanese one. */
export function formsOf(tag: string): ReadonlySet<string> {
  const rules = new Intl.PluralRules(tag)
  return new Set(['other', ...COUNTS.map((count) => rules.select(count))])
}

/** `orders` for `orders_few` when English has `orders_other`; null for what is no plural. */
function stemOf(english: Flat, key: string): string | null {
  const stem = PLURAL.exec(key)?.[1]
  return stem !== undefined && english.has(`${stem}_other`) ? stem : null
}

/** "One order" and "no orders" need no figure. */
function hasSamePlaces(key: string, text: string, original: string): boolean {
  if (placesIn(text) === placesIn(original)) return true
  const form = PLURAL.exec(key)?.[2] ?? ''
  return ['zero', 'one', 'two'].includes(form) && placesIn(`${text}{count}`) === placesIn(original)
}
