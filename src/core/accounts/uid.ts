/** Without letters that are read as another or as a digit (Crockford's base 32). */
const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 10

/**
 * The short name of an account for people to read out and copy: the last 50 bits of its id, which are random, in ten
 * letters and digits. It never changes, whatever the user name does.
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
