import { instant, type Instant } from '#core/time/instant.ts'

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?Z$/

/**
 * Parses a UTC time as providers write it (`2026-08-09T21:05:38.50436Z`), with any number of fractional digits or none. Digits below a
 * millisecond are cut off, which keeps the order. Null for any other text.
 */
export function parseIsoTime(text: string): Instant | null {
  const [, second, fraction = ''] = ISO.exec(text) ?? []
  if (second === undefined) return null
  const ms = Date.parse(`${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // Some parsers move a day that does not exist to the next month, so the result is compared with the text.
  if (!Number.isSafeInteger(ms) || !new Date(ms).toISOString().startsWith(second)) return null
  return instant(ms)
}
