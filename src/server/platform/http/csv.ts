/**
 * Formats one line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets a leading apostrophe
 * (OWASP: CSV injection). A number with a sign computes nothing, so phone numbers that begin with a plus stay as they
 * are.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

/** Characters that begin a formula, including full-width forms, after any spaces or invisible characters. */
const FORMULA = /^[=+\-@|%]/
const UNSEEN = /^[\s\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/u
/** Where spreadsheets with semicolon or tab separators, common in Europe, split the text again. */
const PARTS = /(?<=[;\t\n]|\r(?!\n))/
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

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
