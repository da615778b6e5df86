/** Text that cannot be read as a message; the words are for an operator. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

const LONG_NUMBER = /\d[\d.]{15,}/
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/**
 * Reads JSON without losing a digit: a number that has more of them than JavaScript keeps becomes its text. Throws
 * `Unreadable`.
 */
export function readJson(text: string): unknown {
  const exact = LONG_NUMBER.test(text)
    ? text.replaceAll(STRING_OR_NUMBER, (part) => (part.startsWith('"') || part.length < 16 ? part : `"${part}"`))
    : text
  try {
    return JSON.parse(exact)
  } catch {
    throw new Unreadable(`not JSON: ${text.slice(0, 80)}`)
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const PLAIN = /^\d{1,18}(?:\.\d{1,18})?$/

/**
 * A number of a message, given as text or as a JSON number, as a plain decimal with every digit it had. Null for all
 * that is not a plain, unsigned decimal: signs, exponents, NaN, other types.
 */
export function plainDecimal(value: unknown): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? plainDecimal(spelledOut(value)) : null
  return typeof value === 'string' && PLAIN.test(value) ? value : null
}

/** The same, but zero is not taken either: nothing costs nothing. */
export function plainPrice(value: unknown): string | null {
  const text = plainDecimal(value)
  return text !== null && /[1-9]/.test(text) ? text : null
}

/** A number without an exponent: 1e-7 is 0.0000001. */
function spelledOut(value: number): string {
  const [, digits = '', fraction = '', exponent = ''] = /^(\d)(?:\.(\d+))?e-(\d+)$/.exec(String(value)) ?? []
  return exponent === '' ? String(value) : `0.${'0'.repeat(Number(exponent) - 1)}${digits}${fraction}`
}

/** Milliseconds since 1970 as a provider tells them; null when it is no such time. */
export function plainTime(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value < 8.64e15 ? value : null
}
