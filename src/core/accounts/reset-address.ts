import { phoneText } from '#core/accounts/phone-text.ts'

/** The address that a user who forgot the password names the account by. */
export type ResetAddress =
  | { readonly kind: 'email'; readonly email: string }
  /** Digits only, with or without the dialling code before them. */
  | { readonly kind: 'phone'; readonly digits: string }

const DIGITS = /^\d{5,19}$/
const LONGEST_DIALLING_CODE = 4

/** Reads a mail address or phone number however it is written; null when it can be neither. */
export function readResetAddress(text: string): ResetAddress | null {
  const trimmed = text.trim()
  if (trimmed.includes('@')) return { kind: 'email', email: trimmed.toLowerCase() }
  const digits = phoneDigits(trimmed)
  return digits !== null && DIGITS.test(digits) ? { kind: 'phone', digits } : null
}

/** The digits of a phone number as it is searched for, without what stands for a plus; null when it is no number. */
export function phoneDigits(text: string): string | null {
  return phoneText(text)?.replace(/\D/g, '').replace(/^00/, '') ?? null
}

/**
 * The ways digits can be a dialling code and a number; a number without its code is one of them. Numbers are kept without
 * a trunk zero where the plan has one, but people write it, so each is there with and without.
 */
export function phoneSplits(digits: string): readonly { readonly code: string | null; readonly number: string }[] {
  const withCode = Array.from({ length: LONGEST_DIALLING_CODE }, (_, at) => ({
    code: `+${digits.slice(0, at + 1)}`,
    number: digits.slice(at + 1),
  }))
  return [{ code: null, number: digits }, ...withCode].flatMap((split) =>
    split.number.startsWith('0') ? [split, { ...split, number: split.number.slice(1) }] : [split],
  )
}
