/** Crockford's base 32: no I, L, O or U, so a reference can be read out and typed back. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const TRX_BYTES = 8

/**
 * A short reference for people, `FW-7Q4M-2KXD-9A3B`: 60 of the 64 random bits given, so that two never meet in practice
 * and none can be guessed.
 */
export function trxFrom(bytes: Uint8Array): string {
  if (bytes.length !== TRX_BYTES) throw new Error(`a reference takes ${TRX_BYTES} random bytes`)
  const number = (at: number) => bytes.subarray(at, at + 4).reduce((value, byte) => ((value << 8) | byte) >>> 0, 0)
  const [high, low] = [number(0), number(4)]
  // Thirty bits each: six letters, the last of them first.
  const halves = [(high << 2) | (low >>> 30), low]
  const letters = halves.flatMap((half) =>
    [25, 20, 15, 10, 5, 0].map((shift) => ALPHABET.charAt((half >>> shift) & 31)),
  )
  const text = letters.join('').replace(/^(.{4})(.{4})/, '$1-$2-')
  return `FW-${text}`
}
