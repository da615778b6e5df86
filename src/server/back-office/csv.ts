/**
 * One line of CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe before it, unless it
 * is a plain number, as OWASP advises against CSV injection.
 */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`
}

const FORMULA = /^[=+\-@\t\r\n|%]/
const NUMBER = /^-?\d+(?:\.\d+)?$/

function csvCell(value: unknown): string {
  const text = cellText(value)
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}
