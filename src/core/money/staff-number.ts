import { parseDecimal } from '#core/money/decimal.ts'
import { readNumber } from '#core/money/typed-amount.ts'

/**
 * Numbers as staff type them in the back office and on the command line: in English notation, by the rule for typed
 * amounts.
 */
const DECIMAL_SIGN = '.'

/** Returns a typed number as plain decimal text. Null when the text is no number. */
export function staffNumberText(typed: string): string | null {
  return readNumber(typed, DECIMAL_SIGN)
}

/**
 * Returns a typed number, or null. The number may be negative, so that the check of its range can refuse it with the
 * allowed values.
 */
export function readStaffNumber(typed: string): number | null {
  const [, sign = '', digits = ''] = /^\s*([-−]?)(.*)$/su.exec(typed) ?? []
  const text = staffNumberText(digits)
  if (text === null) return null
  return sign === '' ? Number(text) : -Number(text)
}

/** Parses a typed number with at most `decimals` decimals to an integer count of 10^-decimals, or returns null. */
export function readStaffDecimal(typed: string, decimals: number): bigint | null {
  const text = staffNumberText(typed)
  return text === null ? null : parseDecimal(text, decimals)
}
