import { decimalNumber, formatDecimal, mulDivHalfEven, parseDecimal } from '#core/money/decimal.ts'

/** An amount of the base currency in minor units (cents): an exact integer, never a float. */
export type Money = bigint & { readonly __brand: 'Money' }
/** Hundredths of a percent: 85 % is 8500. */
export type BasisPoints = number & { readonly __brand: 'BasisPoints' }

export const MONEY_DECIMALS = 2
/**
 * The largest amount: 10^12 major units. Up to it, amounts are exact as JSON numbers, and sums stay far inside int8.
 */
export const MAX_MONEY = 100_000_000_000_000n as Money
export const ZERO = 0n as Money

export function money(minorUnits: bigint | number): Money {
  return BigInt(minorUnits) as Money
}

/**
 * Parses plain decimal text. Returns null when the text is not a decimal, has more than two decimals or exceeds
 * `MAX_MONEY`.
 */
export function parseMoney(text: string): Money | null {
  const value = parseDecimal(text, MONEY_DECIMALS)
  return value === null || value > MAX_MONEY ? null : (value as Money)
}

export function moneyText(amount: Money): string {
  return formatDecimal(amount, MONEY_DECIMALS)
}

/** Converts an amount to a JSON number. The number is exact, because amounts stay far below 2^53 minor units. */
export function moneyNumber(amount: Money): number {
  return decimalNumber(amount, MONEY_DECIMALS)
}

export function basisPoints(value: number): BasisPoints {
  if (!Number.isSafeInteger(value)) throw new Error(`not basis points: ${value}`)
  return value as BasisPoints
}

/** Converts to percent for display and for the wire: 8500 → 85. */
export function percentNumber(value: BasisPoints): number {
  return value / 100
}

/** Computes amount × rate, rounded half-even to the minor unit (stake × profit_percentage / 100). */
export function shareHalfEven(amount: Money, rate: BasisPoints): Money {
  return mulDivHalfEven(amount, BigInt(rate), 10_000n) as Money
}
