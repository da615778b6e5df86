export const SHORTEST_PASSWORD = 6
export const LONGEST_PASSWORD = 20

export type PasswordRefusal = 'password_length' | 'password_mismatch'

/**
 * Checks that a password has 6 to 20 characters (code points, untrimmed) and equals its confirmation. Returns null when
 * the password is acceptable.
 */
export function passwordRefusal(password: string, confirmation: string): PasswordRefusal | null {
  const length = Array.from(password).length
  if (length < SHORTEST_PASSWORD || length > LONGEST_PASSWORD) return 'password_length'
  return password === confirmation ? null : 'password_mismatch'
}
