import { storedDecimals } from '#core/money/currencies.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { MAX_MONEY, MONEY_DECIMALS, type Money, money } from '#core/money/money.ts'
import { asciiDigits } from '#core/text/digits.ts'

/** The decimal separator of a language. */
export type DecimalSign = '.' | ','

/**
 * Why typed text is not an amount:
 * - `empty`: it has no digit yet.
 * - `unclear`: its separators allow two different amounts.
 * - `decimals`: it has more decimals than are stored; `lower` and `upper` are the nearest amounts.
 * - `large`: it exceeds the largest balance.
 * - `invalid`: it has other characters.
 */
export type AmountFlaw =
  | { readonly flaw: 'empty' | 'unclear' | 'invalid' | 'large' }
  | { readonly flaw: 'decimals'; readonly decimals: number; readonly lower: string; readonly upper: string }

export type ReadAmount = { readonly ok: true; readonly amount: Money } | ({ readonly ok: false } & AmountFlaw)

interface Digits {
  readonly whole: string
  readonly fraction: string
}

/** Arabic and full-width separators, mapped to their ASCII meaning. `D` is a separator that can only be decimal. */
const SIGNS: Readonly<Record<string, string>> = {
  '٫': 'D',
  '٬': "'",
  '،': ',',
  '，': ',',
  '．': '.',
  '’': "'",
  '‘': "'",
  '｡': '.',
}
const MAX_TYPED = 40

/**
 * Normalises typed text to digits 0 to 9 and separators. Currency signs and the names USD and USDT are removed. Returns
 * null when the text has other characters or is too long.
 */
export function amountText(typed: string): string | null {
  const text = asciiDigits(typed)
    .replace(/[\p{Sc}\p{Cf}]/gu, '')
    .replace(/^\s*USD?T?|USDT?\s*$/i, '')
    .replace(/\s/g, ' ')
    .trimStart()
  return text.length <= MAX_TYPED && /^[\d.,٫٬،，．｡’‘' ]*$/u.test(text) ? text : null
}

/**
 * Parses a typed amount. A separator groups digits only where it can separate thousands. Otherwise a comma is the
 * decimal separator if the language uses it. Text with two possible meanings is refused, never guessed.
 */
export function readAmount(typed: string, currency: string, decimalSign: DecimalSign): ReadAmount {
  const digits = readDigits(typed, decimalSign)
  return typeof digits === 'string' ? { ok: false, flaw: digits } : toMoney(digits, currency)
}

/**
 * Parses a typed number by the rule for amounts, with any number of decimals. Returns it as plain decimal text
 * ("1,500.00" gives "1500.00"), or null when the text is no number or has two meanings.
 */
export function readNumber(typed: string, decimalSign: DecimalSign): string | null {
  const digits = readDigits(typed, decimalSign)
  if (typeof digits === 'string') return null
  const whole = digits.whole.replace(/^0+(?=\d)/, '')
  return digits.fraction === '' ? whole : `${whole}.${digits.fraction}`
}

/**
 * Parses a number that has at most this many decimals, such as a price of a symbol. The decimals decide between the two
 * meanings of 1.234 and 1,234: three digits after the separator are decimals only where three decimals are allowed.
 */
export function readDecimal(typed: string, decimals: number, decimalSign: DecimalSign): string | null {
  const plain = readNumber(typed, decimalSign)
  if (plain !== null) return plain
  const [, before, after] = /^([1-9]\d{0,2})[.,](\d{3})$/.exec(bareText(typed) ?? '') ?? []
  if (before === undefined || after === undefined) return null
  return decimals < 3 ? `${before}${after}` : `${before}.${after}`
}

function readDigits(typed: string, decimalSign: DecimalSign): Digits | 'invalid' | 'empty' | 'unclear' {
  const bare = bareText(typed)
  if (bare === null) return 'invalid'
  return /\d/.test(bare) ? (split(bare, decimalSign) ?? 'unclear') : 'empty'
}

/** Digits 0 to 9 with ASCII separators. Null for other text. */
function bareText(typed: string): string | null {
  const text = amountText(typed)
  return text === null ? null : Array.from(text.trim(), (letter) => SIGNS[letter] ?? letter).join('')
}

function toMoney({ whole, fraction }: Digits, currency: string): ReadAmount {
  const stored = storedDecimals(currency)
  const cut = BigInt(`${whole}${fraction.slice(0, stored).padEnd(stored, '0')}`)
  const scale = 10n ** BigInt(MONEY_DECIMALS - stored)
  if (cut * scale > MAX_MONEY) return { ok: false, flaw: 'large' }
  const isExact = !/[1-9]/.test(fraction.slice(stored))
  // Extra zeros do not change the amount. But three decimals, as in 1.250, could be meant as thousands.
  if (isExact && (fraction.length <= stored || fraction.length !== 3)) return { ok: true, amount: money(cut * scale) }
  const [lower, upper] = [cut, isExact ? cut : cut + 1n].map((units) => formatDecimal(units, stored))
  return { ok: false, flaw: 'decimals', decimals: stored, lower: lower ?? '', upper: upper ?? '' }
}

/** Splits text at its decimal separator. Returns null when the text can mean two numbers, or no number. */
function split(text: string, decimalSign: DecimalSign): Digits | null {
  const signs = text.match(/[^\d]/g) ?? []
  const last = signs.at(-1)
  if (last === undefined) return { whole: text, fraction: '' }
  const isMixed = signs.some((sign) => sign !== last)
  if (last === 'D' || isMixed) return last === ' ' || last === "'" ? null : atDecimal(text, last)
  if (signs.length > 1 || last === ' ' || last === "'") return grouped(text, last)
  return last === ',' ? atComma(text, decimalSign) : atPoint(text, decimalSign)
}

/** In a language with a decimal comma, 1,250 could be 1.25 or one thousand two hundred and fifty. */
function atComma(text: string, decimalSign: DecimalSign): Digits | null {
  const groups = grouped(text, ',')
  if (decimalSign === '.') return groups
  return groups === null ? atDecimal(text, ',') : null
}

/**
 * The app shows a decimal point in every language, so a point is decimal. Exception: the language groups by points, and
 * this point can group.
 */
function atPoint(text: string, decimalSign: DecimalSign): Digits | null {
  return decimalSign === ',' && grouped(text, '.') !== null ? null : atDecimal(text, '.')
}

/** Accepts one decimal separator after all grouping separators, which must all be the same character. */
function atDecimal(text: string, sign: string): Digits | null {
  const [before = '', fraction = '', ...more] = text.split(sign)
  if (more.length > 0 || /\D/.test(fraction) || (before === '' && fraction === '')) return null
  const group = /\D/.exec(before)?.[0]
  if (group === undefined) return { whole: before === '' ? '0' : before, fraction }
  const groups = grouped(before, group)
  return groups && { ...groups, fraction }
}

/** Accepts one to three digits, then groups of three, all divided by the same separator. */
function grouped(text: string, sign: string): Digits | null {
  const [first = '', ...rest] = text.split(sign)
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && rest.every((group) => /^\d{3}$/.test(group))
  return isGrouped ? { whole: [first, ...rest].join(''), fraction: '' } : null
}
