import { assert } from '#core/result.ts'

const PLAIN_DECIMAL = /^(0|[1-9]\d{0,17})(?:\.(\d+))?$/

/**
 * Parses a plain, unsigned decimal ("100", "0.05") to an integer count of 10^-decimals. Returns null for anything else:
 * signs, spaces, exponents, leading zeros, or more digits than `decimals`. Trailing zeros after the allowed decimals
 * are accepted.
 */
export function parseDecimal(text: string, decimals: number): bigint | null {
  const match = PLAIN_DECIMAL.exec(text)
  if (!match) return null
  const whole = match[1] ?? '0'
  const fraction = (match[2] ?? '').replace(/0+$/, '')
  if (fraction.length > decimals) return null
  return BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0')
}

/** Writes a plain decimal with thousands separators: "67,284.10". All languages use the same. */
export function groupThousands(decimal: string): string {
  const [whole = '', ...fraction] = decimal.split('.')
  return [whole.replace(/\B(?=(?:\d{3})+$)/g, ','), ...fraction].join('.')
}

/** Formats an integer count of 10^-decimals as a plain decimal with exactly `decimals` digits. */
export function formatDecimal(value: bigint, decimals: number): string {
  assert(decimals >= 0, 'decimals cannot be negative')
  const sign = value < 0n ? '-' : ''
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  if (decimals === 0) return sign + digits
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/**
 * Converts an integer count of 10^-decimals to the number that parsing its decimal text would give. Both operands of
 * the division are exact, so the result is rounded once, to the nearest number, as parsing does. A count that is not a
 * safe integer is formatted and parsed instead.
 */
export function decimalNumber(value: bigint | number, decimals: number): number {
  const count = Number(value)
  const scale = POWERS_OF_TEN[decimals]
  if (scale === undefined || !Number.isSafeInteger(count)) return Number(formatDecimal(BigInt(value), decimals))
  return count / scale
}

const POWERS_OF_TEN = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

/** Computes value × numerator ÷ denominator. A half is rounded to the even neighbour (IEEE 754 roundTiesToEven). */
export function mulDivHalfEven(value: bigint, numerator: bigint, denominator: bigint): bigint {
  assert(denominator > 0n, 'the denominator must be positive')
  const product = value * numerator
  const negative = product < 0n
  const magnitude = negative ? -product : product
  const quotient = magnitude / denominator
  const twice = (magnitude % denominator) * 2n
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  const rounded = up ? quotient + 1n : quotient
  return negative ? -rounded : rounded
}
