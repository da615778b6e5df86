const DIGITS = /^\d{5,15}$/
/** What people put between the digits of a number. */
const SEPARATORS = /[\s().+/-]/g

/**
 * The digits of a phone number, or null when it is none. The specification's clients send the dialling code before a
 * hyphen (`62-81234567`): then only the part after it counts.
 */
export function readMobile(text: string): string | null {
  const hyphen = text.indexOf('-')
  const digits = text.slice(hyphen + 1).replace(SEPARATORS, '')
  return DIGITS.test(digits) ? digits : null
}

/** A dialling code as `+` and digits; an empty text when none was given, null when it is no code. */
export function readMobileCode(text: string): string | null {
  const digits = text.replace(SEPARATORS, '')
  if (digits === '') return ''
  return /^\d{1,4}$/.test(digits) ? `+${digits}` : null
}
