import { asciiDigits } from '#core/text/digits.ts'

/** Characters that users type between the digits. A Japanese keyboard writes U+30FC for a hyphen. */
const PHONE = /^\+?[\d\s().,/-]*\d[\d\s().,/-]*$/
/** A leading plus, also inside brackets: `(+49) 151`. */
const BRACKETED_PLUS = /^[\s(]*\+/

/**
 * Normalises a phone number to digits 0 to 9, plain hyphens and at most one leading plus. Returns null when the text
 * has a character that no phone number has.
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

/**
 * Returns the part after the hyphen of `62-81234567` when the part before it is the account's own dialling code, else
 * null.
 */
export function afterOwnDialCode(text: string, ownDialCode: string): string | null {
  const [, code, rest] = /^\+?(\d{1,4})\s*-(.*)$/.exec(text) ?? []
  return code !== undefined && `+${code}` === ownDialCode ? (rest ?? null) : null
}
