import type { Instant } from '#core/time/instant.ts'

/** A reported trade that could not be read as a whole, with what could be read of it. */
export interface UnreadTrade {
  /** Null: any symbol that the connection follows may have traded. */
  readonly symbol: string | null
  readonly channel?: 'trade' | 'ticker'
  readonly time?: Instant | null
  readonly id?: bigint | null
}

const UNKNOWN_TRADE: UnreadTrade = { symbol: null }

/** Text that cannot be read as a message; the words are for an operator. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  /** The trade that may have been in it; null when it held none for certain. */
  readonly trade: UnreadTrade | null
  constructor(message: string, trade: UnreadTrade | null = UNKNOWN_TRADE) {
    super(message)
    this.trade = trade
  }
}

/** Numbers that JavaScript would not keep as they are written: long ones, those with an exponent, and whole ones as 7.0. */
const INEXACT = /\d[\d.]{15,}|\d[eE][+-]?\d/
const WHOLE_WITH_FRACTION = /[:,[\s]-?\d+\.0+[\s,}\]]/
/**
 * Stands before the text of such a number, so that a number is told from a text. No message has this character in a text:
 * it could only be written as an escape.
 */
const NUMBER_MARK = '\u0001'
const WRITTEN_MARK = String.raw`\u0001`
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MAYBE_NAME = /"\s*:/g
const TEXT_OR_NAME = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Reads JSON without losing a digit: a number that JavaScript would not keep as it is written becomes its text with a mark
 * (see `numberText`). Throws `Unreadable`, also for an object that says one name twice: nobody can tell which of the two
 * is meant.
 */
export function readJson(text: string): unknown {
  if (text.includes(WRITTEN_MARK)) throw new Unreadable(`a text of no provider: ${text.slice(0, 80)}`)
  return read(text, WRITTEN_MARK)
}

/** The same for a library that knows no marks: a number becomes plain text. */
export function readUnmarkedJson(text: string): unknown {
  return read(text, '')
}

function read(text: string, mark: string): unknown {
  const isInexact = INEXACT.test(text) || (text.includes('.0') && WHOLE_WITH_FRACTION.test(text))
  const exact = isInexact ? text.replaceAll(STRING_OR_NUMBER, (part) => asExactText(part, mark)) : text
  let value: unknown
  try {
    value = JSON.parse(exact)
  } catch {
    throw new Unreadable(`not JSON: ${text.slice(0, 80)}`)
  }
  if (repeatsName(exact, value)) throw new Unreadable(`a name that comes twice: ${text.slice(0, 80)}`)
  return value
}

function asExactText(part: string, mark: string): string {
  if (part.startsWith('"')) return part
  // Any other exponent is no plain decimal: its letter shows that to whoever reads the text.
  return part.length < 16 && !/[eE]|\.0+$/.test(part) ? part : `"${mark}${spelledOut(part)}"`
}

/** A number below one without its exponent: 5.2e-7 is 0.00000052. Any other stays as it is. */
function spelledOut(text: string): string {
  const [, digits, fraction = '', exponent] = SMALL.exec(text) ?? []
  return digits === undefined ? text : `0.${'0'.repeat(Number(exponent) - 1)}${digits}${fraction}`
}

const SMALL = /^([1-9])(?:\.(\d+))?e-0?([1-9]\d?)$/

/** A colon behind a quotation mark follows a name, or stands inside a text: only then are the names counted in earnest. */
function repeatsName(text: string, value: unknown): boolean {
  const names = countNames(value)
  if ((text.match(MAYBE_NAME)?.length ?? 0) === names) return false
  return [...text.matchAll(TEXT_OR_NAME)].filter(([, colon]) => colon !== undefined).length !== names
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const inner of value) if (typeof inner === 'object') count += countNames(inner)
    return count
  }
  for (const name in value) {
    count += 1
    const inner = (value as Readonly<Record<string, unknown>>)[name]
    if (typeof inner === 'object') count += countNames(inner)
  }
  return count
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const PLAIN = /^(?:0|[1-9]\d{0,17})(?:\.\d{1,40})?$/

/**
 * A number of a message that is written as text, as a plain decimal with every digit it has. Null for all that is not a
 * plain, unsigned decimal: signs, exponents, zeros before it, NaN, other types.
 */
export function decimalText(value: unknown): string | null {
  return typeof value === 'string' && PLAIN.test(value) ? value : null
}

/** The same of one that is written as a number of JSON. */
export function decimalNumber(value: unknown): string | null {
  const text = numberText(value)
  return text !== null && PLAIN.test(text) ? text : null
}

/** The digits of a JSON number, as it is written where JavaScript would lose some; null for what is none. */
export function numberText(value: unknown): string | null {
  if (typeof value === 'number') return Object.is(value, -0) ? null : spelledOut(String(value))
  return typeof value === 'string' && value.startsWith(NUMBER_MARK) ? value.slice(NUMBER_MARK.length) : null
}

/** In either of the two forms, for what we do not know the form of. */
export function plainDecimal(value: unknown): string | null {
  return decimalText(value) ?? decimalNumber(value)
}

/** The same, but zero is not taken either: nothing costs nothing. */
export function plainPrice(value: unknown): string | null {
  return aboveZero(plainDecimal(value))
}

/** Null for zero: nothing costs nothing. */
export function aboveZero(decimal: string | null): string | null {
  return decimal !== null && /[1-9]/.test(decimal) ? decimal : null
}
