export const PIN_DIGITS = 6

/** A withdrawal PIN: exactly six digits, leading zeros included. */
export function isPin(text: string): boolean {
  return /^\d{6}$/.test(text)
}
