import { escapeHtml } from '#core/content/escape-html.ts'
import type { Block, Inline } from '#core/content/markup.ts'

/** Renders parsed markup as safe HTML: headings, paragraphs, lists, bold text and safe links, without scripts. */
export function htmlOf(blocks: readonly Block[]): string {
  return blocks.map(htmlOfBlock).join('')
}

function htmlOfBlock(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${htmlOfInlines(block.inlines)}</h2>`
    case 'paragraph':
      return `<p>${htmlOfInlines(block.inlines)}</p>`
    case 'list':
      return `<ul>${block.items.map((inlines) => `<li>${htmlOfInlines(inlines)}</li>`).join('')}</ul>`
  }
}

function htmlOfInlines(inlines: readonly Inline[]): string {
  return inlines
    .map((inline) => {
      const text = escapeHtml(inline.text)
      if (inline.kind === 'bold') return `<strong>${text}</strong>`
      return inline.kind === 'link' ? `<a href="${escapeHtml(inline.to)}" rel="noopener noreferrer">${text}</a>` : text
    })
    .join('')
}
