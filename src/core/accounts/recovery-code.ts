import { asciiDigits } from '#core/text/digits.ts'

export const RECOVERY_CODES = 10
export const RECOVERY_CODE_BYTES = 10
/** Without letters and digits that are taken for each other. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Ten bytes of chance as sixteen letters in four groups. */
export function recoveryCodeFrom(bytes: Uint8Array): string {
  let bits = bytes.slice(0, RECOVERY_CODE_BYTES).reduce((all, byte) => (all << 8n) | BigInt(byte), 0n)
  let text = ''
  for (let place = 0; place < 16; place += 1) {
    text += LETTERS[Number(bits & 31n)]
    bits >>= 5n
  }
  return text.replace(/(.{4})(?=.)/g, '$1-')
}

/** What was typed as it is kept; null when it cannot be a recovery code. */
export function readRecoveryCode(typed: string): string | null {
  const code = asciiDigits(typed).toUpperCase().replace(/[\s-]/g, '')
  return /^[A-HJ-NP-Z2-9]{16}$/.test(code) ? code : null
}
