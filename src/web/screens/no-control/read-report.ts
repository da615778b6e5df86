/** A part of the report: text or a table. */
export type ReportBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly heads: readonly string[]; readonly rows: readonly (readonly string[])[] }

export interface ReportSection {
  readonly title: string
  readonly blocks: readonly ReportBlock[]
}

/** Parses the sections of `docs/generated/no-control.md`: headings, paragraphs and tables, as our own test writes them. */
export function readReport(text: string): readonly ReportSection[] {
  const [, ...sections] = text.split(/^## /m)
  return sections.map((section) => {
    const [title = '', ...blocks] = section.trim().split(/\n{2,}/)
    return { title, blocks: blocks.map(readBlock) }
  })
}

function readBlock(block: string): ReportBlock {
  if (!block.startsWith('|')) return { kind: 'text', text: block }
  const [heads = [], , ...rows] = block.split('\n').map(cellsOf)
  return { kind: 'table', heads, rows }
}

function cellsOf(line: string): string[] {
  return line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|'))
}
