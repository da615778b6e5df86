import { readStaffNumber } from '#core/money/staff-number.ts'

/**
 * Converts a typed number for the request. A text that is not a number is sent unchanged, so that the server names the
 * error.
 */
export function plainNumber(typed: string): number {
  return readStaffNumber(typed) ?? (typed.trim() as unknown as number)
}

/** Converts typed seconds to milliseconds for the request. */
export function millisecondsOf(typed: string): number {
  return scaledNumber(typed, 1_000)
}

/** Converts a typed number to a whole number of smaller units for the request. */
export function scaledNumber(typed: string, scale: number): number {
  const value = plainNumber(typed)
  return typeof value === 'number' ? Math.round(value * scale) : value
}
