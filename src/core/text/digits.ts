const DIGIT = /\p{Nd}/u
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu

/** Replaces the digits of every script (`٢٥`, `۲۵`, `２５`) by 0 to 9 and keeps all other characters. */
export function asciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGIT, (digit) => String(valueOf(digit)))
}

/**
 * Unicode stores the ten digits of a script in order. If the digits of several scripts follow each other without a gap,
 * each script has ten of them, so the remainder modulo 10 is the value.
 */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let first = code
  while (DIGIT.test(String.fromCodePoint(first - 1))) first -= 1
  return (code - first) % 10
}

/** Parses a code of exactly `count` digits in any script. Returns null for anything else. */
export function readDigits(text: string, count: number): string | null {
  const digits = asciiDigits(text)
  return digits.length === count && /^\d+$/.test(digits) ? digits : null
}
