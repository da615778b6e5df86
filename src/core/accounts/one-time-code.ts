import { assert } from '#core/result.ts'
import { readDigits } from '#core/text/digits.ts'

export const CODE_LIFETIME_MS = 600_000
export const CODE_DIGITS = 6
const CODES = 10 ** CODE_DIGITS
/** The largest multiple of a million that fits 32 bits: numbers from it on would make low codes likelier. */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES

/** A six-digit code, each equally likely, from a source of random bytes. */
export function makeCode(randomBytes: (count: number) => Uint8Array): string {
  for (;;) {
    const bytes = randomBytes(4)
    assert(bytes.length === 4, 'four random bytes were asked for')
    const number = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (number < FAIR_BELOW) return String(number % CODES).padStart(CODE_DIGITS, '0')
  }
}

/** Reads a code as it was typed or pasted: digits of any script, blanks and hyphens between them; null when it is none. */
export function readCode(text: string): string | null {
  return readDigits(text.replace(/[\s-]/g, ''), CODE_DIGITS)
}
