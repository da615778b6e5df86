import { type FlatTexts as Flat, hasSamePlaces, keysFor, originalOf } from '#messages/check-text.ts'

export interface TranslationProblems {
  /** Errors: texts that English does not have, or other placeholders than in English. */
  readonly wrong: readonly string[]
  /** Keys that fall back to English, including plural forms. */
  readonly missing: readonly string[]
}

/** Lists the wrong and the missing texts of a language. `tag`, such as `de`, determines its plural forms. */
export function checkTranslation(english: Flat, texts: Flat, tag: string): TranslationProblems {
  const wrong: string[] = []
  for (const [key, text] of texts) {
    const original = originalOf(english, key)
    if (original === undefined) wrong.push(`English has no ${key}`)
    else if (!hasSamePlaces(key, text, original)) wrong.push(`${key} has other places than English`)
  }
  return { wrong, missing: keysFor(english, tag).filter((key) => !texts.has(key)) }
}
