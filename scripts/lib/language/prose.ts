/** A sentence with the line of the file where its block begins. */
export interface Sentence {
  readonly line: number
  readonly text: string
}

export const MAX_WORDS = 30

/** Sentence openings and phrases without a subject, which a reader has to read twice. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [
    /^(What|Whoever|Whatever|Those (that|who|which)|That which|Whom|Whose|Of (what|those|which|whom))\b(?!.*\?)/,
    'begins with a clause instead of a subject',
  ],
  [/^(One|Others|Nobody|Somebody|Some|All) (that|who|which|of (them|it|those))\b/, 'has a subject without a noun'],
  [
    /^(Nothing|Nobody|Somebody|Everybody|Others|It|They|So) (is|are|was|were|has|have)\b/,
    'has a subject without a noun',
  ],
  [
    /\b(is|are|was|were|been|be) (told|heard|said|asked for|looked at|let go|given back|thought of)\b/,
    'does not name who sends what to whom',
  ],
  [
    /\b(nobody|somebody|whoever|anew|meanwhile|thereof|whence|likewise|besides|of late|by turns|in earnest)\b/i,
    'has an old or vague word',
  ],
  [
    /\b(no more than that|than that|so long|so much later|as ever|on its way|put right|all the same|as it were|said of|goes on|has heard)\b/i,
    'has an idiom instead of a number or a fact',
  ],
]

/** Words that documents must not use, each with the glossary's term for it. */
const VOCABULARY: readonly (readonly [RegExp, string])[] = [
  [/\b(sign(s|ed|ing)?[ -]in|sign(s|ed|ing)?[ -]out)\b/i, 'log in, log out'],
  [/\be-mails?\b/i, 'mail, email'],
  [/\badmin\b/i, 'back office, operator CLI or staff'],
  [/\bcorrections?\b/i, 'adjustment'],
  [/\b(order book|error book|the books)\b/i, 'ledger'],
  [/\bdoorkeeper\b/i, 'socket upgrade guard'],
  [/\bsigns? of life\b/i, 'heartbeat'],
]

/**
 * Describes each problem of a sentence: phrases that are hard to understand, and too many words. In a document
 * (`isDocument`), also words for which the glossary has another term.
 */
export function proseProblems(text: string, isDocument: boolean): string[] {
  const plain = text.replace(/`[^`]*`/g, 'x').replace(/[*_]{1,2}(?=\w)|(?<=\w|[.:])[*_]{1,2}/g, '')
  const words = plain.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
  return [
    ...PHRASES.filter(([pattern]) => pattern.test(plain)).map(([, what]) => what),
    ...(words > MAX_WORDS ? [`has ${words} words, at most ${MAX_WORDS} are allowed`] : []),
    ...(isDocument ? VOCABULARY : [])
      .filter(([pattern]) => pattern.test(plain))
      .map(([, term]) => `uses another word than the glossary: ${term}`),
  ]
}

/** The sentences of a page: paragraphs, items, headings and cells of tables, without code. */
export function sentencesOfMarkdown(text: string): Sentence[] {
  const found: Sentence[] = []
  let block: { line: number; text: string } | null = null
  const end = () => {
    if (block !== null) found.push(...sentencesOf(block.text, block.line))
    block = null
  }
  let isFenced = false
  let isAfterBlank = true
  for (const [at, raw] of text.split('\n').entries()) {
    const line = at + 1
    if (raw.startsWith('```')) isFenced = !isFenced
    const isCode: boolean = isFenced || raw.startsWith('```') || (isAfterBlank && /^ {4}/.test(raw) && block === null)
    isAfterBlank = raw.trim() === '' || isCode
    if (isCode || raw.trim() === '' || raw.startsWith('<!--')) end()
    else if (/^\s*\|/.test(raw)) {
      end()
      for (const cell of raw.split(/(?<!\\)\|/)) found.push(...sentencesOf(linkTexts(cell.trim()), line))
    } else {
      if (/^\s*(#+|[-*]|\d+\.)\s/.test(raw)) end()
      const content = linkTexts(raw.replace(/^\s*(#+|[-*]|\d+\.)\s+/, '').trim())
      block = block === null ? { line, text: content } : { line: block.line, text: `${block.text} ${content}` }
      if (raw.startsWith('#')) end()
    }
  }
  end()
  return found
}

/** The sentences of the comments of a source file. */
export function sentencesOfComments(text: string): Sentence[] {
  const found: Sentence[] = []
  let block: { line: number; text: string } | null = null
  const end = () => {
    if (block !== null) found.push(...sentencesOf(block.text, block.line))
    block = null
  }
  for (const [at, raw] of text.split('\n').entries()) {
    const own = /^\s*(?:\/\/|\/\*\*?|\*(?!\/)|#(?!!))\s?(.*?)(?:\*\/)?\s*$/.exec(raw)?.[1]
    if (own === undefined || own.startsWith('oxlint-') || own.startsWith('@ts-')) {
      end()
      const trailing = /\s\/\/ (.*)$/.exec(raw)?.[1]
      if (trailing !== undefined) found.push(...sentencesOf(trailing, at + 1))
    } else block = block === null ? { line: at + 1, text: own } : { line: block.line, text: `${block.text} ${own}` }
  }
  end()
  return found
}

function sentencesOf(text: string, line: number): Sentence[] {
  return text
    .replaceAll(/`[^`]*`/g, '`…`')
    .split(/(?<=[.!?:;]\)?)\s+/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => ({ line, text: one }))
}

/** Replaces each link `[text](address)` by its text. */
function linkTexts(text: string): string {
  return text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
}
