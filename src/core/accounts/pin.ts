import { readDigits } from '#core/text/digits.ts'

export const PIN_DIGITS = 6

/** Parses a withdrawal PIN: exactly six digits of any script, leading zeros included. Null when the text is no PIN. */
export function readPin(text: string): string | null {
  return readDigits(text, PIN_DIGITS)
}
