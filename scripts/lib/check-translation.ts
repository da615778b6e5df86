import { type FlatTexts as Flat, hasSamePlaces, keysFor, originalOf } from '#messages/check-text.ts'

export interface TranslationProblems {
  /** Never right: texts that English does not have, or other places to fill in. */
  readonly wrong: readonly string[]
  /** Where English stands in for now, the forms of plurals included. */
  readonly missing: readonly string[]
}

/** What a language has that it should not, and what it lacks. `tag` says which forms its plurals have. */
export function checkTranslation(english: Flat, texts: Flat, tag: string): TranslationProblems {
  const wrong: string[] = []
  for (const [key, text] of texts) {
    const original = originalOf(english, key)
    if (original === undefined) wrong.push(`English has no ${key}`)
    else if (!hasSamePlaces(key, text, original)) wrong.push(`${key} has other places than English`)
  }
  return { wrong, missing: keysFor(english, tag).filter((key) => !texts.has(key)) }
}
