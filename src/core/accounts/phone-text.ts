import { asciiDigits } from '#core/text/digits.ts'

/** What people put between the digits of a number; a Japanese keyboard writes U+30FC for a hyphen. */
const PHONE = /^\+?[\d\s().,/-]*\d[\d\s().,/-]*$/
/** Also where a plus stands in brackets. */
const BRACKETED_PLUS = /^[\s(]*\+/

/**
 * Writes a phone number with digits 0 to 9, plain hyphens and a plus at its start only. Null when it has anything that no
 * number has.
 */
export function phoneText(typed: string): string | null {
  const text = asciiDigits(typed.normalize('NFKC'))
    .replace(/[\p{Pd}\u2212\u2043\u30FC]/gu, '-')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .trim()
    .replace(/^tel:/i, '')
    .replace(BRACKETED_PLUS, '+')
  return PHONE.test(text) ? text : null
}

/** What follows the hyphen of `62-81234567` where the part before it is the account's own dialling code; else null. */
export function afterOwnDialCode(text: string, ownDialCode: string): string | null {
  const [, code, rest] = /^\+?(\d{1,4})\s*-(.*)$/.exec(text) ?? []
  return code !== undefined && `+${code}` === ownDialCode ? (rest ?? null) : null
}
