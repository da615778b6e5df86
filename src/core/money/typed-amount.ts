import { storedDecimals } from '#core/money/currencies.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { LARGEST_MONEY, MONEY_DECIMALS, type Money, money } from '#core/money/money.ts'
import { asciiDigits } from '#core/text/digits.ts'

/** The sign that a language writes before the decimals. */
export type DecimalSign = '.' | ','

/**
 * Why typed text is no amount. `empty`: it has no digit yet. `unclear`: its signs could mean another amount. `decimals`:
 * finer than is kept, between `lower` and `upper`. `large`: beyond what a balance can hold.
 */
export type AmountFlaw =
  | { readonly flaw: 'empty' | 'unclear' | 'invalid' | 'large' }
  | { readonly flaw: 'decimals'; readonly decimals: number; readonly lower: string; readonly upper: string }

export type ReadAmount = { readonly ok: true; readonly amount: Money } | ({ readonly ok: false } & AmountFlaw)

interface Digits {
  readonly whole: string
  readonly fraction: string
}

/** Arabic and full-width forms by the sign that they stand for; `D` is a sign that can only be decimal. */
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
 * Keeps what an amount can be typed with: digits of any script as 0 to 9, decimal and grouping signs. A currency sign is
 * left out, and so is the name of the dollar. Null when there is anything else, or too much.
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
 * Reads an amount as people write it. A sign groups only where it can group thousands; a comma is else the decimal sign
 * where the language writes decimals with it. What could be two amounts is refused, never guessed.
 */
export function readAmount(typed: string, currency: string, decimalSign: DecimalSign): ReadAmount {
  const text = amountText(typed)
  if (text === null) return { ok: false, flaw: 'invalid' }
  const bare = Array.from(text.trim(), (letter) => SIGNS[letter] ?? letter).join('')
  if (!/\d/.test(bare)) return { ok: false, flaw: 'empty' }
  const digits = split(bare, decimalSign)
  if (digits === null) return { ok: false, flaw: 'unclear' }
  return toMoney(digits, currency)
}

function toMoney({ whole, fraction }: Digits, currency: string): ReadAmount {
  const stored = storedDecimals(currency)
  const cut = BigInt(`${whole}${fraction.slice(0, stored).padEnd(stored, '0')}`)
  const scale = 10n ** BigInt(MONEY_DECIMALS - stored)
  if (cut * scale > LARGEST_MONEY) return { ok: false, flaw: 'large' }
  const isExact = !/[1-9]/.test(fraction.slice(stored))
  // Zeros beyond what is kept are exact; but whoever writes 1.250 may mean a thousand.
  if (isExact && (fraction.length <= stored || fraction.length !== 3)) return { ok: true, amount: money(cut * scale) }
  const [lower, upper] = [cut, isExact ? cut : cut + 1n].map((units) => formatDecimal(units, stored))
  return { ok: false, flaw: 'decimals', decimals: stored, lower: lower ?? '', upper: upper ?? '' }
}

/** Splits text of digits and signs at its decimal sign; null when it can be read in two ways or in none. */
function split(text: string, decimalSign: DecimalSign): Digits | null {
  const signs = text.match(/[^\d]/g) ?? []
  const last = signs.at(-1)
  if (last === undefined) return { whole: text, fraction: '' }
  const isMixed = signs.some((sign) => sign !== last)
  if (last === 'D' || isMixed) return last === ' ' || last === "'" ? null : atDecimal(text, last)
  if (signs.length > 1 || last === ' ' || last === "'") return grouped(text, last)
  return last === ',' ? atComma(text, decimalSign) : atPoint(text, decimalSign)
}

/** Where the language writes decimals with a comma, 1,250 can be 1.25 and, as figures are shown, a thousand. */
function atComma(text: string, decimalSign: DecimalSign): Digits | null {
  const groups = grouped(text, ',')
  if (decimalSign === '.') return groups
  return groups === null ? atDecimal(text, ',') : null
}

/** Figures are shown with a point in every language, so a point is decimal, unless the language groups by it and it can. */
function atPoint(text: string, decimalSign: DecimalSign): Digits | null {
  return decimalSign === ',' && grouped(text, '.') !== null ? null : atDecimal(text, '.')
}

/** The decimal sign is there once, behind every other; those group thousands, all of them the same. */
function atDecimal(text: string, sign: string): Digits | null {
  const [before = '', fraction = '', ...more] = text.split(sign)
  if (more.length > 0 || /\D/.test(fraction) || (before === '' && fraction === '')) return null
  const group = /\D/.exec(before)?.[0]
  if (group === undefined) return { whole: before === '' ? '0' : before, fraction }
  const groups = grouped(before, group)
  return groups && { ...groups, fraction }
}

/** One to three digits, then thousands, all parted by one sign. */
function grouped(text: string, sign: string): Digits | null {
  const [first = '', ...rest] = text.split(sign)
  const isGrouped = /^[1-9]\d{0,2}$/.test(first) && rest.every((group) => /^\d{3}$/.test(group))
  return isGrouped ? { whole: [first, ...rest].join(''), fraction: '' } : null
}
