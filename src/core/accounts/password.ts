export const MIN_PASSWORD_LENGTH = 6
export const MAX_PASSWORD_LENGTH = 20

export type PasswordRefusal = 'password_length' | 'password_mismatch'

/**
 * Checks that a password has 6 to 20 characters (code points, untrimmed) and equals its confirmation. Returns null when
 * the password is acceptable.
 */
export function passwordRefusal(password: string, confirmation: string): PasswordRefusal | null {
  const length = Array.from(password).length
  if (length < MIN_PASSWORD_LENGTH || length > MAX_PASSWORD_LENGTH) return 'password_length'
  return password === confirmation ? null : 'password_mismatch'
}
