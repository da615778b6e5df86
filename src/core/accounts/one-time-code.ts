import { assert } from '#core/result.ts'
import { readDigits } from '#core/text/digits.ts'

export const CODE_LIFETIME_MS = 600_000
/** 1 minute between two requests for a verification code, so that the previous code can arrive first. */
export const CODE_PAUSE_MS = 60_000
export const CODE_DIGITS = 6
const CODES = 10 ** CODE_DIGITS
/**
 * The largest multiple of 1,000,000 within 32 bits. Larger random numbers are rejected, because they would make low
 * codes more likely.
 */
const FAIR_BELOW = Math.floor(2 ** 32 / CODES) * CODES

/** Creates a six-digit code from a source of random bytes. All codes are equally likely. */
export function makeCode(randomBytes: (count: number) => Uint8Array): string {
  for (;;) {
    const bytes = randomBytes(4)
    assert(bytes.length === 4, 'the random source must return four bytes')
    const number = new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0)
    if (number < FAIR_BELOW) return String(number % CODES).padStart(CODE_DIGITS, '0')
  }
}

/**
 * Parses a typed or pasted code: digits of any script, with spaces and hyphens between them. Null when it is not a
 * code.
 */
export function readCode(text: string): string | null {
  return readDigits(text.replace(/[\s-]/g, ''), CODE_DIGITS)
}
