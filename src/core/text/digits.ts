const DIGIT = /\p{Nd}/u
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu

/** Writes the digits of every script (`٢٥`, `۲۵`, `２５`) as 0 to 9 and leaves all other characters alone. */
export function asciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGIT, (digit) => String(valueOf(digit)))
}

/** Unicode keeps the ten digits of a script together, in order, and whole tens of them where scripts are neighbours. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}

/** Reads a code of exactly `count` digits, in any script; null for anything else. */
export function readDigits(text: string, count: number): string | null {
  const digits = asciiDigits(text)
  return digits.length === count && /^\d+$/.test(digits) ? digits : null
}
