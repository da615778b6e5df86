import { phoneText } from '#core/accounts/phone-text.ts'

/** The email address or phone number by which a user requests a password reset. */
export type ResetAddress =
  | { readonly kind: 'email'; readonly email: string }
  /** Digits only. The dialling code may be included or missing. */
  | { readonly kind: 'phone'; readonly digits: string }

const DIGITS = /^\d{5,19}$/
const MAX_DIALLING_CODE_LENGTH = 4

/** Parses an email address or phone number in any common notation. Returns null when the text is neither. */
export function readResetAddress(text: string): ResetAddress | null {
  const trimmed = text.trim()
  if (trimmed.includes('@')) return { kind: 'email', email: trimmed.toLowerCase() }
  const digits = phoneDigits(trimmed)
  return digits !== null && DIGITS.test(digits) ? { kind: 'phone', digits } : null
}

/**
 * Returns the digits of a phone number for searching, without `+` or a leading `00`. Null when the text is not a
 * number.
 */
export function phoneDigits(text: string): string | null {
  return phoneText(text)?.replace(/\D/g, '').replace(/^00/, '') ?? null
}

/**
 * Lists every way to split digits into a dialling code and a number, including a number without a code. Where a country
 * uses a trunk zero, numbers are stored without it, but users type it. So each split is listed with and without that
 * zero.
 */
export function phoneSplits(digits: string): readonly { readonly code: string | null; readonly number: string }[] {
  const withCode = Array.from({ length: MAX_DIALLING_CODE_LENGTH }, (_, at) => ({
    code: `+${digits.slice(0, at + 1)}`,
    number: digits.slice(at + 1),
  }))
  return [{ code: null, number: digits }, ...withCode].flatMap((split) =>
    split.number.startsWith('0') ? [split, { ...split, number: split.number.slice(1) }] : [split],
  )
}
