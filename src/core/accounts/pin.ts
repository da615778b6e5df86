import { readDigits } from '#core/text/digits.ts'

export const PIN_DIGITS = 6

/** Reads a withdrawal PIN: exactly six digits of any script, leading zeros included; null when it is none. */
export function readPin(text: string): string | null {
  return readDigits(text, PIN_DIGITS)
}
