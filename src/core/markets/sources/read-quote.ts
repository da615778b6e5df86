import { type Price, VOLUME_DECIMALS, type Volume } from '#core/money/price.ts'

/** Longer than any number a provider sends; a text without end is not worth reading. */
const LONGEST_TEXT = 60
const PLAIN_DECIMAL = /^(0|[1-9]\d*)(?:\.(\d+))?$/
const LARGEST = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * A provider's price in units of 10^-decimals. A provider may have more digits than the symbol: then it is the nearest
 * unit, a half going to the even one. Null when it is no plain decimal, not above zero, or beyond what a price can be.
 */
export function readQuotePrice(text: string, decimals: number): Price | null {
  const units = roundHalfEven(text, decimals)
  return units === null || units === 0n || units > LARGEST ? null : (Number(units) as Price)
}

/** The same for a volume, in millionths. It may be zero, and one that is too large to count is the largest there is. */
export function readQuoteVolume(text: string): Volume | null {
  const units = roundHalfEven(text, VOLUME_DECIMALS)
  if (units === null) return null
  return Number(units > LARGEST ? LARGEST : units) as Volume
}

function roundHalfEven(text: string, decimals: number): bigint | null {
  if (text.length > LONGEST_TEXT) return null
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
