import { formatDecimal, groupThousands } from '#core/money/decimal.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** The typographic minus, as wide as a plus, so that columns of changes align. */
export const MINUS = '\u2212'

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

export interface NumberParts {
  readonly sign: '' | '+' | typeof MINUS
  /** The whole part with thousands separators: "67,284". */
  readonly whole: string
  /** The fraction with its point: ".1000". Empty when there is none. */
  readonly fraction: string
}

/**
 * Splits plain decimal text ("-67284.1000") for display. All languages use Western digits, comma and point, so that a
 * receipt looks the same to every user. Works on text, so no digit is lost.
 */
export function numberParts(decimal: string, { plus = false } = {}): NumberParts {
  const match = DECIMAL.exec(decimal)
  if (!match) throw new Error(`not a plain decimal: ${decimal}`)
  // Formatted without `Intl`: charts format hundreds of prices per second, and a locale formatter costs 0.1 ms each.
  const whole = groupThousands((match[2] ?? '0').replace(/^0+(?=\d)/, ''))
  const isZero = !/[1-9]/.test(decimal)
  const sign = isZero ? '' : match[1] === '-' ? MINUS : plus ? '+' : ''
  return { sign, whole, fraction: match[3] === undefined ? '' : `.${match[3]}` }
}

/** Formats plain decimal text as "2,480.50". */
export function groupedNumber(decimal: string, options?: { plus?: boolean }): string {
  const { sign, whole, fraction } = numberParts(decimal, options)
  return sign + whole + fraction
}

/** Formats money as "$2,480.50", or with `plus` as "+$85.00". */
export function formatMoney(amount: Money, { plus = false, symbol = '$' } = {}): string {
  const { sign, whole, fraction } = numberParts(moneyText(amount), { plus })
  return sign + symbol + whole + fraction
}

/** Formats money as "$100" if it has no cents, as on quick amounts, else as "$12.50". */
export function formatShortMoney(amount: Money, options?: { symbol?: string }): string {
  return formatMoney(amount, options).replace(/\.00$/, '')
}

/** Formats a change as "+2.418%" with three decimals. Zero has no sign. `percent` is 2.418 for 2.418 %. */
export function formatChange(percent: number): string {
  return `${groupedNumber(percent.toFixed(3), { plus: true })}%`
}

/** Formats a rate with one decimal: "54.1%". */
export function formatRate(percent: number): string {
  return `${groupedNumber(percent.toFixed(1))}%`
}

/** Formats a traded volume with three decimals: "28,417.392". */
export function formatVolume(volume: number): string {
  return groupedNumber(volume.toFixed(3))
}

/** Formats a whole number: "1,250". */
export function formatCount(count: number | bigint): string {
  return groupedNumber(formatDecimal(BigInt(count), 0))
}

/**
 * Formats the remaining time, rounded up to seconds: "2:47", "38:09", "6:05:00". The result is 0:00 only when the time
 * is over.
 */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${twoDigits(m)}:${twoDigits(s)}` : `${m}:${twoDigits(s)}`
}

/** Formats an instant as UTC time: "14:32:13". */
export function formatUtcTime(at: Instant): string {
  return new Date(at).toISOString().slice(11, 19)
}

/** Formats an instant as UTC time with milliseconds, for ticks on a receipt: "14:32:13.482". */
export function formatUtcTimeMs(at: Instant): string {
  return new Date(at).toISOString().slice(11, 23)
}

/** Formats an instant as UTC date and time: "2026-01-31 14:32:13". */
export function formatUtcDateTime(at: Instant): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
