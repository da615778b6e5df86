import { isSafeLink } from '#core/content/safe-link.ts'
import { type HtmlToken, htmlTokens } from '#server/platform/html/html-tokens.ts'

/** The start of anything that a browser takes for a tag, comment or declaration. */
const TAG = /<(?=[a-z/!?])/gi

/** Elements that end the current line and begin a new one. */
const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body br center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li main nav ol option p pre section summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
)
const HEADINGS: ReadonlySet<string> = new Set(['h1', 'h2', 'h3', 'h4', 'h5', 'h6'])
const BOLD: ReadonlySet<string> = new Set(['b', 'strong'])
const LISTS: ReadonlySet<string> = new Set(['li', 'ul', 'ol'])
const HEADING = '## '
const ITEM = '- '
const CELLS: ReadonlySet<string> = new Set(['td', 'th'])

interface Look {
  /** The number of enclosing elements that make the text bold. */
  bold: number
  link: string | null
}

/** Text with one style. */
interface Run {
  text: string
  readonly isBold: boolean
  readonly link: string | null
}

/**
 * Converts pasted text or HTML to the site's own markup (`core/content/markup.ts`) and nothing else. HTML keeps its
 * text, headings, lists, bold text and safe links. Scripts, styles, handlers and all other tags are removed. Text
 * without a tag is unchanged. The result contains nothing that could be taken for a tag, so cleaning it again changes
 * nothing.
 */
export function sanitizeMarkup(source: string): string {
  if (source.search(TAG) === -1) return source
  const tokens = htmlTokens(source)
  const hasBlocks = tokens.some((token) => token.kind !== 'text' && BLOCKS.has(token.tag))
  return hasBlocks ? writeBlocks(tokens) : writeRuns(runsOf(tokens, { bold: 0, link: null }))
}

/** Writes HTML as lines. Line breaks in the source mean nothing, as in a browser. */
function writeBlocks(tokens: readonly HtmlToken[]): string {
  const look: Look = { bold: 0, link: null }
  let inside: HtmlToken[] = []
  let mark = ''
  let written = ''
  let before = ''
  const endBlock = (): void => {
    const text = writeRuns(runsOf(inside, look)).replace(/\s+/g, ' ').trim()
    inside = []
    if (text === '') return
    if (written !== '') written += mark === ITEM && before === ITEM ? '\n' : '\n\n'
    written += mark + text
    before = mark
  }
  for (const token of tokens) {
    if (token.kind === 'text' || !BLOCKS.has(token.tag)) inside.push(token)
    // Headings and list items of the site's markup have only one line.
    else if (token.tag === 'br' && mark !== '') inside.push({ kind: 'text', text: ' ' })
    else {
      endBlock()
      mark = markAfter(token, mark)
    }
  }
  endBlock()
  return written
}

/** The line prefix after a block's tag. A paragraph inside an item still belongs to the item. */
function markAfter({ kind, tag }: { kind: 'open' | 'close'; tag: string }, mark: string): string {
  const isHeading = HEADINGS.has(tag)
  if (kind === 'open') return isHeading ? HEADING : tag === 'li' ? ITEM : mark
  return isHeading || LISTS.has(tag) ? '' : mark
}

/** Splits the text by style. `look` is the style at the beginning, and is updated to the style at the end. */
function runsOf(tokens: readonly HtmlToken[], look: Look): Run[] {
  const runs: Run[] = []
  for (const token of tokens) {
    if (token.kind === 'text' || CELLS.has(token.tag)) {
      const text = token.kind === 'text' ? token.text : ' '
      // Links in our markup contain no bold text.
      const isBold = look.bold > 0 && look.link === null
      const last = runs.at(-1)
      if (last?.isBold === isBold && last.link === look.link) last.text += text
      else runs.push({ text, isBold, link: look.link })
    } else if (BOLD.has(token.tag)) look.bold = Math.max(0, look.bold + (token.kind === 'open' ? 1 : -1))
    else if (token.tag === 'a') look.link = token.kind === 'open' ? token.href : null
  }
  return runs
}

function writeRuns(runs: readonly Run[]): string {
  const text = runs.map(writeRun).join('')
  // A `<` written as an entity is text, and stays text when this result is parsed again.
  return text.replace(TAG, '< ').trim()
}

function writeRun({ text, isBold, link }: Run): string {
  const words = text.trim()
  const to = link === null ? '' : link.trim().replaceAll('(', '%28').replaceAll(')', '%29')
  if (words === '' || /\n\s*\n/.test(words)) return text
  const isLink = isSafeLink(to) && !/[[\]]/.test(words)
  if (!isLink && (!isBold || words.includes('*'))) return text
  const start = text.slice(0, text.indexOf(words))
  const end = text.slice(start.length + words.length)
  return start + (isLink ? `[${words}](${to})` : `**${words}**`) + end
}
