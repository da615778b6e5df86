import type { Sentence } from './prose.ts'

/**
 * Vague parts of names. `amended` and `least` are allowed: `amended` is a word of signed facts, `least` a word of
 * calls.
 */
const NAME_PART =
  /(^|[a-z_])(told|heard|heed|asked|taken|(?<!am)ended|kept|made(?!_?good)|beyond|among|apart|someone|anyone|somebody|nobody|whoever|most|least(?=[A-Z_])|longest|largest|shortest|nap|doorkeeper|despite|ahead)(?=$|[A-Z_])/i
const DECLARED = /\b(?:const|let|function|class|interface|type|readonly|async|get|set)\s+#?([A-Za-z_$][\w$]*)/g
const TITLE = /\b(?:it|test|describe)(?:\.\w+)?\(\s*(['"`])(.+?)\1/
const TITLE_WITHOUT_SUBJECT = /^(is|was|are|were|has|have|what|of|goes|comes|stands|that|whoever|nobody|somebody)\b/i

/** Lists declared names that contain a vague word. */
export function vagueNames(text: string): Sentence[] {
  return text
    .split('\n')
    .flatMap((line, at) =>
      Array.from(line.matchAll(DECLARED), ([, name = '']) => ({ line: at + 1, text: name })).filter(({ text: name }) =>
        NAME_PART.test(name),
      ),
    )
}

/** Titles of tests that name neither subject nor expectation. */
export function vagueTitles(text: string): Sentence[] {
  return text.split('\n').flatMap((line, at) => {
    const title = TITLE.exec(line)?.[2]
    return title !== undefined && TITLE_WITHOUT_SUBJECT.test(title) ? [{ line: at + 1, text: title }] : []
  })
}
