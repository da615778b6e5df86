/**
 * One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe before it, unless it
 * is a plain number, as OWASP advises against CSV injection.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

/** What begins a formula, however wide it is written, and whatever blanks or invisible characters stand before it. */
const FORMULA = /^[=+\-@|%]/
const UNSEEN = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/u
/** Where a spreadsheet parts the text again that goes by semicolons or tabs, as many of Europe do. */
const PARTS = /(?<=[;\t\n]|\r(?!\n))/
const NUMBER = /^-?\d+(?:\.\d+)?$/

function csvCell(value: unknown): string {
  const text = cellText(value)
  const parts = NUMBER.test(text) ? text : text.split(PARTS).map(guarded).join('')
  const safe = /^[\t\r\n]/.test(parts) ? `'${parts}` : parts
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

function guarded(part: string): string {
  return FORMULA.test(part.normalize('NFKC').replace(UNSEEN, '')) ? `'${part}` : part
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}
