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

/**
 * Lists how the id of the account with this UID can end, as UUID text such as `b-00a1b2c3d4e5`. Two bits of the first
 * digit are not in the UID. Null when the text is no UID. Because people type UIDs, lower case is accepted, I and L
 * count as 1, and O counts as 0.
 */
export function uidEnds(text: string): readonly string[] | null {
  const letters = text.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  const values = Array.from(letters, (letter) => LETTERS.indexOf(letter))
  if (values.length !== LENGTH || values.includes(-1)) return null
  const bits = values.reduce((sum, value) => (sum << 5n) | BigInt(value), 0n)
  const end = BigInt.asUintN(48, bits).toString(16).padStart(12, '0')
  return [0n, 4n, 8n, 12n].map((other) => `${(other | (bits >> 48n)).toString(16)}-${end}`)
}
