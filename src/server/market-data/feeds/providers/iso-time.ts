import { instant, type Instant } from '#core/time/instant.ts'

const ISO = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,12}))?Z$/

/**
 * A time in UTC as providers write it (`2026-08-09T21:05:38.50436Z`): with any number of digits behind the second, or
 * none. What is finer than a millisecond is cut off, so order is kept. Null when it is no such time.
 */
export function parseIsoTime(text: string): Instant | null {
  const [, second, fraction = ''] = ISO.exec(text) ?? []
  if (second === undefined) return null
  const ms = Date.parse(`${second}.${fraction.padEnd(3, '0').slice(0, 3)}Z`)
  // A day that does not exist is moved to the next month by some readers, so it has to come back as it was.
  if (!Number.isSafeInteger(ms) || !new Date(ms).toISOString().startsWith(second)) return null
  return instant(ms)
}
