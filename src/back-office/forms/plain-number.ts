import { asciiDigits } from '#core/text/digits.ts'

/** Converts a typed number for the request. A text that is not a number is sent unchanged, so that the server names the error. */
export function plainNumber(typed: string): number {
  const text = asciiDigits(typed.trim())
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : (typed.trim() as unknown as number)
}

/** Converts typed seconds to milliseconds for the request. */
export function millisecondsOf(typed: string): number {
  const seconds = plainNumber(typed)
  return typeof seconds === 'number' ? Math.round(seconds * 1_000) : seconds
}
