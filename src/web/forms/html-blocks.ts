import type { Block, Inline } from '#core/content/markup.ts'
import { isSafeLink } from '#core/content/safe-link.ts'

/**
 * Parses the operator's HTML into blocks of text. The server sends only harmless HTML, and the document used for
 * parsing runs and loads nothing. Elements other than headings, paragraphs, lists, bold text and safe links become
 * plain text.
 */
export function htmlBlocks(html: string): Block[] {
  const blocks: Block[] = []
  let loose: Inline[] = []
  const endLoose = (): void => {
    if (loose.some(({ text }) => text.trim() !== '')) blocks.push({ kind: 'paragraph', inlines: loose })
    loose = []
  }
  for (const node of new DOMParser().parseFromString(html, 'text/html').body.childNodes) {
    const block = node instanceof Element ? blockOf(node) : null
    if (block === null) loose.push(...inlinesOf(node))
    else {
      endLoose()
      blocks.push(block)
    }
  }
  endLoose()
  return blocks
}

function blockOf(element: Element): Block | null {
  switch (element.localName) {
    case 'h2':
      return { kind: 'heading', inlines: inlinesIn(element) }
    case 'p':
      return { kind: 'paragraph', inlines: inlinesIn(element) }
    case 'ul':
      return { kind: 'list', items: Array.from(element.children, inlinesIn) }
    default:
      return null
  }
}

function inlinesIn(element: Element): Inline[] {
  return Array.from(element.childNodes).flatMap(inlinesOf)
}

function inlinesOf(node: Node): Inline[] {
  const text = node.textContent ?? ''
  if (text === '') return []
  if (!(node instanceof Element)) return [{ kind: 'text', text }]
  if (node.localName === 'strong') return [{ kind: 'bold', text }]
  const to = node.localName === 'a' ? (node.getAttribute('href') ?? '') : ''
  return isSafeLink(to) ? [{ kind: 'link', text, to }] : [{ kind: 'text', text }]
}
