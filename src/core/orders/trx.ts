/** Crockford's base 32: no I, L, O or U, so a reference can be read out and typed back. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const TRX_BYTES = 8

/**
 * A short reference for people, `FW-7Q4M-2KXD-9A3B`: 60 of the 64 random bits given, so that two never meet in practice
 * and none can be guessed.
 */
export function trxFrom(bytes: Uint8Array): string {
  if (bytes.length !== TRX_BYTES) throw new Error(`a reference takes ${TRX_BYTES} random bytes`)
  let bits = bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  let text = ''
  for (let at = 0; at < 12; at += 1) {
    if (at > 0 && at % 4 === 0) text = `-${text}`
    text = ALPHABET.charAt(Number(bits & 31n)) + text
    bits >>= 5n
  }
  return `FW-${text}`
}
