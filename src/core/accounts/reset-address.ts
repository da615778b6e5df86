/** What somebody names their account by who has forgotten its password. */
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
  const digits = trimmed.replace(/[\s().+/-]/g, '').replace(/^00/, '')
  return DIGITS.test(digits) ? { kind: 'phone', digits } : null
}

/** The ways digits can be a dialling code and a number; a number without its code is one of them. */
export function phoneSplits(digits: string): readonly { readonly code: string | null; readonly number: string }[] {
  const withCode = Array.from({ length: LONGEST_DIALLING_CODE }, (_, at) => ({
    code: `+${digits.slice(0, at + 1)}`,
    number: digits.slice(at + 1),
  }))
  return [{ code: null, number: digits }, ...withCode]
}
