import { decimalNumber, formatDecimal, parseDecimal } from '#core/money/decimal.ts'

/**
 * A price in units of 10^-decimals of its symbol: an exact, positive safe integer. Prices are only compared, never
 * multiplied.
 */
export type Price = number & { readonly __brand: 'Price' }
/** A traded volume in millionths of the symbol's unit. */
export type Volume = number & { readonly __brand: 'Volume' }

export const VOLUME_DECIMALS = 6
export const SHOWN_PRICE_DECIMALS = 4

export function price(units: number | bigint): Price {
  const value = Number(units)
  if (!Number.isSafeInteger(value) || value <= 0) throw new Error(`not a price: ${units}`)
  return value as Price
}

export function volume(units: number | bigint): Volume {
  const value = Number(units)
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`not a volume: ${units}`)
  return value as Volume
}

/** Adds two volumes. A sum beyond the largest safe integer becomes that integer. */
export function addVolumes(one: Volume, other: Volume): Volume {
  return Math.min(one + other, Number.MAX_SAFE_INTEGER) as Volume
}

/**
 * Parses plain decimal text to a price. Returns null when the text is not a positive decimal with at most `decimals`
 * digits.
 */
export function parsePrice(text: string, decimals: number): Price | null {
  const value = parseDecimal(text, decimals)
  if (value === null || value <= 0n || value > BigInt(Number.MAX_SAFE_INTEGER)) return null
  return Number(value) as Price
}

/** Formats a price with at least four decimals, or more when the symbol has more. */
export function priceText(value: Price, decimals: number): string {
  const text = formatDecimal(BigInt(value), decimals)
  if (decimals >= SHOWN_PRICE_DECIMALS) return text
  return (decimals === 0 ? `${text}.` : text) + '0'.repeat(SHOWN_PRICE_DECIMALS - decimals)
}

/** Converts a price to a JSON number, for the wire and the chart. */
export function priceNumber(value: Price, decimals: number): number {
  return decimalNumber(value, decimals)
}

export function volumeNumber(value: Volume): number {
  return decimalNumber(value, VOLUME_DECIMALS)
}
