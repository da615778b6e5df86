/** Formats rows under headings, with columns as wide as their longest text. Control characters are removed. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [headings, ...rows].map((row) => row.map(plain))
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    widths
      .map((width, column) => (row[column] ?? '').padEnd(width))
      .join('  ')
      .trimEnd()
  const [first = [], ...rest] = all
  return [line(first), widths.map((width) => '-'.repeat(width)).join('  '), ...rest.map(line)]
}

/** Formats names with their values, one per line. */
export function facts(pairs: readonly (readonly [name: string, value: string])[]): string[] {
  const width = Math.max(...pairs.map(([name]) => plain(name).length))
  return pairs.map(([name, value]) => `${plain(name).padEnd(width)}  ${plain(value)}`.trimEnd())
}

/** Makes users' text safe for a terminal: no escape sequences, line breaks or right-to-left marks. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu, ' ')
}
