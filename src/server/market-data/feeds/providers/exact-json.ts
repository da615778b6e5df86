import type { Instant } from '#core/time/instant.ts'

/** A reported trade that is only partly readable, with its readable fields. */
export interface UnreadTrade {
  /** Null: the trade may concern any symbol of the connection. */
  readonly symbol: string | null
  readonly channel?: 'trade' | 'ticker'
  readonly time?: Instant | null
  readonly id?: bigint | null
}

const UNKNOWN_TRADE: UnreadTrade = { symbol: null }

/** Thrown for text that is not a readable message. The error text is for operators. */
export class Unreadable extends Error {
  override name = 'Unreadable'
  /** The trade that the text may contain; null when it certainly contains none. */
  readonly trade: UnreadTrade | null
  constructor(message: string, trade: UnreadTrade | null = UNKNOWN_TRADE) {
    super(message)
    this.trade = trade
  }
}

/**
 * Numbers that JavaScript would not keep as written: long numbers, numbers with an exponent, and whole numbers such as
 * 7.0.
 */
const INEXACT = /\d[\d.]{15,}|\d[eE][+-]?\d/
const WHOLE_WITH_FRACTION = /[:,[\s]-?\d+\.0+[\s,}\]]/
/**
 * Precedes the text of an inexact number, to distinguish it from a string. No message contains this character
 * unescaped.
 */
const NUMBER_MARK = '\u0001'
const WRITTEN_MARK = String.raw`\u0001`
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
const MAYBE_NAME = /"\s*:/g
const TEXT_OR_NAME = /"(?:[^"\\]|\\.)*"(\s*:)?/g

/**
 * Parses JSON without losing a digit: a number that JavaScript would not keep as written becomes its text with a mark (see `numberText`).
 * Throws `Unreadable`, also for an object with a repeated name, because either value could be the right one.
 */
export function readJson(text: string): unknown {
  if (text.includes(WRITTEN_MARK)) throw new Unreadable(`a text of no provider: ${text.slice(0, 80)}`)
  return read(text, WRITTEN_MARK)
}

/** Parses JSON as `readJson` does, for a library that does not know the mark: a number becomes plain text. */
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
  if (repeatsName(exact, value)) throw new Unreadable(`an object with a repeated name: ${text.slice(0, 80)}`)
  return value
}

function asExactText(part: string, mark: string): string {
  if (part.startsWith('"')) return part
  // A number with any other exponent is not a plain decimal. The letter of the exponent stays, so that later checks
  // reject the text.
  return part.length < 16 && !/[eE]|\.0+$/.test(part) ? part : `"${mark}${spelledOut(part)}"`
}

/** A number below one without its exponent: 5.2e-7 becomes 0.00000052. Any other number is unchanged. */
function spelledOut(text: string): string {
  const [, digits, fraction = '', exponent] = SMALL.exec(text) ?? []
  return digits === undefined ? text : `0.${'0'.repeat(Number(exponent) - 1)}${digits}${fraction}`
}

const SMALL = /^([1-9])(?:\.(\d+))?e-0?([1-9]\d?)$/

/**
 * A colon after a quotation mark follows a name or is inside a string. An exact check is needed only when there are
 * more colons than names.
 */
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
 * A number that the message writes as text, as a plain decimal with all digits. Null for anything but a plain, unsigned decimal: signs,
 * exponents, leading zeros, NaN and other types.
 */
export function decimalText(value: unknown): string | null {
  return typeof value === 'string' && PLAIN.test(value) ? value : null
}

/** Parses a number that the message writes as a JSON number, as `decimalText` parses a text. */
export function decimalNumber(value: unknown): string | null {
  const text = numberText(value)
  return text !== null && PLAIN.test(text) ? text : null
}

/** The digits of a JSON number, as written where JavaScript would lose some; null for any other value. */
export function numberText(value: unknown): string | null {
  if (typeof value === 'number') return Object.is(value, -0) ? null : spelledOut(String(value))
  return typeof value === 'string' && value.startsWith(NUMBER_MARK) ? value.slice(NUMBER_MARK.length) : null
}

/** Parses a number given as text or as a JSON number, for messages whose form is not known. */
export function plainDecimal(value: unknown): string | null {
  return decimalText(value) ?? decimalNumber(value)
}

/** As `plainDecimal`, but null for zero, because no trade has a price of zero. */
export function plainPrice(value: unknown): string | null {
  return aboveZero(plainDecimal(value))
}

/** Null for zero, because no trade has a price of zero. */
export function aboveZero(decimal: string | null): string | null {
  return decimal !== null && /[1-9]/.test(decimal) ? decimal : null
}
