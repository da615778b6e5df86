import { type Instant, instant } from '#core/time/instant.ts'
import { numberText, plainDecimal } from '#server/market-data/feeds/providers/exact-json.ts'

/**
 * Parses a timestamp given as a number or digits. Its size determines its unit: seconds have 9 or 10 digits, milliseconds 12 or 13,
 * microseconds 15 or 16, nanoseconds 18 or 19. So each value is a time between 1973 and 2286 in exactly one unit. Units below a millisecond
 * are cut off, which keeps the order. Null for anything else.
 */
export function readTime(value: unknown): Instant | null {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value > 0 ? ofNumber(value) : null
  return typeof value === 'string' && DIGITS.test(value) ? ofDigits(value) : null
}

/** Parses a time as `readTime` does, but seconds may have a fraction, as some exchanges write them. */
export function readFractionalTime(value: unknown): Instant | null {
  const [seconds = '', fraction] = plainDecimal(value)?.split('.') ?? []
  if (fraction === undefined) return readTime(value)
  return SECONDS.test(seconds) ? instant(Number(seconds + fraction.padEnd(3, '0').slice(0, 3))) : null
}

/** Parses a time in milliseconds given as a number. Null for other units. */
export function readMs(value: unknown): Instant | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1e11 && value < 1e13
    ? (value as Instant)
    : null
}

/** Parses a time in microseconds given as a number. Digits below a millisecond are cut off. */
export function readMicros(value: unknown): Instant | null {
  const text = numberText(value) ?? ''
  return MICROS.test(text) ? ofDigits(text) : null
}

/** Parses a time in seconds given as a number. */
export function readSeconds(value: unknown): Instant | null {
  return typeof value === 'number' ? readSecondsText(String(value)) : null
}

/** Parses seconds given as text. */
export function readSecondsText(value: unknown): Instant | null {
  return typeof value === 'string' && SECONDS.test(value) ? ofDigits(value) : null
}

const MICROS = /^[1-9]\d{14,15}$/
/** Digits as providers write them: whole and without a sign. */
const DIGITS = /^[1-9]\d{8,18}$/
const SECONDS = /^[1-9]\d{8,9}$/

/** Hot path: converts no number to text. */
function ofNumber(value: number): Instant | null {
  if (value >= 1e11 && value < 1e13) return value as Instant
  if (value >= 1e8 && value < 1e10) return (value * 1_000) as Instant
  if (value >= 1e14 && value < 1e16) return Math.floor(value / 1_000) as Instant
  return null
}

function ofDigits(text: string): Instant | null {
  switch (text.length) {
    case 9:
    case 10:
      return instant(Number(text) * 1_000)
    case 12:
    case 13:
      return instant(Number(text))
    case 15:
    case 16:
      return instant(Number(text.slice(0, -3)))
    case 18:
    case 19:
      return instant(Number(text.slice(0, -6)))
    default:
      return null
  }
}
