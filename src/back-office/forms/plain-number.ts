import { asciiDigits } from '#core/text/digits.ts'

/** A typed number as it is sent. What is no number goes as it was typed, and the server says what is wrong with it. */
export function plainNumber(typed: string): number {
  const text = asciiDigits(typed.trim())
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : (typed.trim() as unknown as number)
}

/** A typed number of seconds in milliseconds, as it is sent. */
export function millisecondsOf(typed: string): number {
  const seconds = plainNumber(typed)
  return typeof seconds === 'number' ? Math.round(seconds * 1_000) : seconds
}
