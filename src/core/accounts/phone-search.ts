import { numbersByPlans } from '#core/accounts/mobile.ts'
import { phoneText } from '#core/accounts/phone-text.ts'
import { phoneDigits, phoneSplits } from '#core/accounts/reset-address.ts'

/** The patterns by which a search text matches stored phone numbers. */
export interface PhoneSearch {
  /** The start of a number, with or without the dialling code before it. */
  readonly starts: readonly { readonly code: string | null; readonly number: string }[]
  /**
   * Digits that a stored number may have at any position after its dialling code. Empty when the search text begins
   * with `+` or `00`, because such a text gives the number from its start.
   */
  readonly parts: readonly string[]
}

const MIN_DIGITS = 4
const MAX_DIGITS = 19
/**
 * The trunk prefix, dialled before a number inside its country: `0` in most, `06` in Hungary, `8` in Russia, `01` in
 * Mexico.
 */
const TRUNK_PREFIX = /^(?:06|01|0|8)/

/** Reads a text as a phone number, or as a part of a phone number, in any common notation. Null when it is neither. */
export function readPhoneSearch(text: string): PhoneSearch | null {
  const digits = phoneDigits(text)
  if (digits === null || digits.length < MIN_DIGITS || digits.length > MAX_DIGITS) return null
  const starts = phoneSplits(digits).filter(({ number }) => number !== '')
  if (/^(?:\+|00)/.test(phoneText(text) ?? '')) return { starts, parts: [] }
  const dialled = [digits, digits.replace(/^0/, ''), digits.replace(TRUNK_PREFIX, '')]
  const parts = [...new Set(dialled)].filter((part) => part.length >= MIN_DIGITS)
  return { starts: [...starts, ...numbersByPlans(digits)], parts }
}
