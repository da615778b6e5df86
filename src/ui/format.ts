import { formatDecimal } from '#core/money/decimal.ts'
import { type Money, moneyText } from '#core/money/money.ts'
import type { Instant } from '#core/time/instant.ts'

/** The typographic minus, as wide as a plus, so that columns of changes line up. */
export const MINUS = '\u2212'

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

export interface NumberParts {
  readonly sign: '' | '+' | typeof MINUS
  /** With thousands separated: "67,284". */
  readonly whole: string
  /** With its point: ".1000"; empty when there is none. */
  readonly fraction: string
}

/**
 * Splits plain decimal text ("-67284.1000") for display. Figures are written the same in every language: Western
 * digits, comma, point, so that a receipt reads the same to everyone. Works on text, so no digit is ever lost.
 */
export function numberParts(decimal: string, { plus = false } = {}): NumberParts {
  const match = DECIMAL.exec(decimal)
  if (!match) throw new Error(`not a plain decimal: ${decimal}`)
  // By hand: charts write hundreds of prices a second, and each locale formatter made for one costs a tenth of a millisecond.
  const whole = (match[2] ?? '0').replace(/^0+(?=\d)/, '').replace(/\B(?=(?:\d{3})+$)/g, ',')
  const isZero = !/[1-9]/.test(decimal)
  const sign = isZero ? '' : match[1] === '-' ? MINUS : plus ? '+' : ''
  return { sign, whole, fraction: match[3] === undefined ? '' : `.${match[3]}` }
}

/** "2,480.50" from plain decimal text. */
export function groupedNumber(decimal: string, options?: { plus?: boolean }): string {
  const { sign, whole, fraction } = numberParts(decimal, options)
  return sign + whole + fraction
}

/** "$2,480.50"; with `plus`, gains carry a sign: "+$85.00". */
export function formatMoney(amount: Money, { plus = false, symbol = '$' } = {}): string {
  const { sign, whole, fraction } = numberParts(moneyText(amount), { plus })
  return sign + symbol + whole + fraction
}

/** "$100" where the cents are none, as on quick amounts; "$12.50" otherwise. */
export function formatShortMoney(amount: Money, options?: { symbol?: string }): string {
  return formatMoney(amount, options).replace(/\.00$/, '')
}

/** "+2.418%", three decimals, zero without a sign. `percent` is 2.418 for 2.418 %. */
export function formatChange(percent: number): string {
  return `${groupedNumber(percent.toFixed(3), { plus: true })}%`
}

/** "54.1%": a rate with one decimal. */
export function formatRate(percent: number): string {
  return `${groupedNumber(percent.toFixed(1))}%`
}

/** "28,417.392": a traded volume, three decimals, however many it came with. */
export function formatVolume(volume: number): string {
  return groupedNumber(volume.toFixed(3))
}

/** "1,250": a whole number. */
export function formatCount(count: number | bigint): string {
  return groupedNumber(formatDecimal(BigInt(count), 0))
}

/** "2:47", "38:09", "6:05:00": what remains, rounded up, so that it reads 0:00 only when it is over. */
export function formatCountdown(remainingMs: number): string {
  const seconds = Math.max(0, Math.ceil(remainingMs / 1000))
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${twoDigits(m)}:${twoDigits(s)}` : `${m}:${twoDigits(s)}`
}

/** "14:32:13" in UTC, the server's clock. */
export function formatUtcTime(at: Instant): string {
  return new Date(at).toISOString().slice(11, 19)
}

/** "14:32:13.482" in UTC: ticks on a receipt. */
export function formatUtcTimeMs(at: Instant): string {
  return new Date(at).toISOString().slice(11, 23)
}

/** "2026-01-31 14:32:13" in UTC. */
export function formatUtcDateTime(at: Instant): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
