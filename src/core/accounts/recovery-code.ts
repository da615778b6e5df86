import { asciiDigits } from '#core/text/digits.ts'

export const RECOVERY_CODES = 10
export const RECOVERY_CODE_BYTES = 10
/** The letters and digits without I, O, 0 and 1, which readers confuse. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Formats ten random bytes as sixteen characters in four groups. */
export function recoveryCodeFrom(bytes: Uint8Array): string {
  let bits = bytes.slice(0, RECOVERY_CODE_BYTES).reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)
  let text = ''
  for (let place = 0; place < 16; place += 1) {
    text += LETTERS[Number(bits & 31n)]
    bits >>= 5n
  }
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

/** Normalises a typed recovery code to its stored form. Returns null when the text cannot be a recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const code = asciiDigits(typed).toUpperCase().replace(/[\s-]/g, '')
  return /^[A-HJ-NP-Z2-9]{16}$/.test(code) ? code : null
}
