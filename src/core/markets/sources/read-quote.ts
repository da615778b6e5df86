import { type Price, VOLUME_DECIMALS, type Volume } from '#core/money/price.ts'

/** 60: longer than any number of a provider. Longer texts are not parsed. */
const MAX_TEXT_LENGTH = 60
const PLAIN_DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/
const MAX_UNITS = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * Parses a provider's price to units of 10^-decimals. Extra digits are rounded to the nearest unit, half to even.
 * Returns null when the text is not a plain decimal, not above zero, or too large.
 */
export function readQuotePrice(text: string, decimals: number): Price | null {
  const units = roundHalfEven(text, decimals)
  return units === null || units === 0n || units > MAX_UNITS ? null : (Number(units) as Price)
}

/**
 * Parses a volume to millionths, with the same rounding as `readQuotePrice`. Zero is valid. Too large a volume becomes
 * the largest safe integer.
 */
export function readQuoteVolume(text: string): Volume | null {
  const units = roundHalfEven(text, VOLUME_DECIMALS)
  if (units === null) return null
  return Number(units > MAX_UNITS ? MAX_UNITS : units) as Volume
}

function roundHalfEven(text: string, decimals: number): bigint | null {
  if (text.length > MAX_TEXT_LENGTH) return null
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) return null
  const fraction = match[2] ?? ''
  const units = BigInt((match[1] ?? '0') + fraction.slice(0, decimals).padEnd(decimals, '0'))
  const rest = fraction.slice(decimals)
  const first = rest.charCodeAt(0) - HALF_DIGIT
  if (rest === '' || first < 0) return units
  const isHalf = first === 0 && /^50*$/.test(rest)
  return isHalf && units % 2n === 0n ? units : units + 1n
}

const HALF_DIGIT = '5'.charCodeAt(0)
