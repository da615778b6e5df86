/** Letters and digits that are not mistaken for one another when read aloud. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
export const REFERENCE_LENGTH = 12

/** A short reference (`trx`) of 12 characters from 12 random bytes: 60 bits, so two never meet in practice. */
export function shortReference(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, REFERENCE_LENGTH), (byte) => ALPHABET[byte % 32]).join('')
}
