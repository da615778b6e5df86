/** Crockford's base 32: no I, L, O or U, so a reference can be read out and typed back. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const TRX_BYTES = 8

/**
 * A short reference for people, `FW-7Q4M-2KXD-9A3B`: 60 of the 64 random bits given, so that two never meet in practice
 * and none can be guessed.
 */
export function trxFrom(bytes: Uint8Array): string {
  if (bytes.length !== TRX_BYTES) throw new Error(`a reference takes ${TRX_BYTES} random bytes`)
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [high, low] = [view.getUint32(0), view.getUint32(4)]
  const [first, second] = [sixLetters((high << 2) | (low >>> 30)), sixLetters(low)]
  return `FW-${first.slice(0, 4)}-${first.slice(4)}${second.slice(0, 2)}-${second.slice(2)}`
}

/** Of the thirty low bits. */
function sixLetters(bits: number): string {
  let letters = ''
  for (let shift = 25; shift >= 0; shift -= 5) letters += ALPHABET.charAt((bits >>> shift) & 31)
  return letters
}
