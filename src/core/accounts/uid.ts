/** Crockford's base 32: leaves out I, L, O and U, which readers confuse with other characters. */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/**
 * Returns the short account id that users read out and copy: the last 50 bits of the account's id, which are random, in
 * ten characters. It does not change when the username changes.
 */
export function uidOf(userId: string): string {
  let bits = BigInt(`0x${userId.replaceAll('-', '').slice(-13)}`)
  let text = ''
  for (let place = 0; place < LENGTH; place += 1) {
    text = (LETTERS[Number(bits & 31n)] ?? '') + text
    bits >>= 5n
  }
  return text
}
