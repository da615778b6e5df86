import { isSafeLink } from '#core/content/safe-link.ts'

/** A part of a block: plain text, bold text or a link. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bold'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly to: string }

export type Block =
  | { readonly kind: 'heading'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'list'; readonly items: readonly (readonly Inline[])[] }

/**
 * Parses the markup of pages and posts. Blank lines separate blocks, `## ` starts a heading, `- ` or `* ` a list item,
 * and `**bold**` and `[text](link)` format text. Everything else, HTML included, is plain text, so the result never
 * contains markup that could run.
 */
export function parseMarkup(source: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let items: (readonly Inline[])[] = []
  const endParagraph = (): void => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', inlines: parseInlines(lines.join(' ')) })
    lines = []
  }
  const endList = (): void => {
    if (items.length > 0) blocks.push({ kind: 'list', items })
    items = []
  }
  for (const raw of source.split(/\r\n|\r|\n/)) {
    const line = raw.trim()
    const heading = /^#{1,6}\s+(\S.*)$/.exec(line)?.[1]
    const item = /^[-*•]\s+(\S.*)$/.exec(line)?.[1]
    if (item === undefined) endList()
    if (line === '' || heading !== undefined || item !== undefined) endParagraph()
    if (heading !== undefined) blocks.push({ kind: 'heading', inlines: parseInlines(heading) })
    else if (item !== undefined) items.push(parseInlines(item))
    else if (line !== '') lines.push(line)
  }
  endParagraph()
  endList()
  return blocks
}

/** Returns the text without its markup, for a preview in a list. */
export function plainText(source: string): string {
  return parseMarkup(source)
    .flatMap((block) => (block.kind === 'list' ? block.items : [block.inlines]))
    .map((inlines) => inlines.map(({ text }) => text).join(''))
    .join(' ')
}

const MARKED = /\*\*([^*]+)\*\*|\[([^[\]]+)\]\(([^()\s]+)\)/g

function parseInlines(text: string): Inline[] {
  const inlines: Inline[] = []
  let from = 0
  for (const match of text.matchAll(MARKED)) {
    const [whole, bold, label, to] = match
    if (to !== undefined && !isSafeLink(to)) continue // An unsafe link stays plain text, so that readers see that it is not a link.
    if (match.index > from) inlines.push({ kind: 'text', text: text.slice(from, match.index) })
    if (bold !== undefined) inlines.push({ kind: 'bold', text: bold })
    else if (label !== undefined && to !== undefined) inlines.push({ kind: 'link', text: label, to })
    from = match.index + whole.length
  }
  if (from < text.length) inlines.push({ kind: 'text', text: text.slice(from) })
  return inlines
}
