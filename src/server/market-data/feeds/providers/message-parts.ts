import { z } from 'zod'
import type { Instant } from '#core/time/instant.ts'
import { aboveZero, decimalText, Unreadable } from '#server/market-data/feeds/providers/exact-json.ts'
import { parseIsoTime } from '#server/market-data/feeds/providers/iso-time.ts'

const MAX_SYMBOL_LENGTH = 60

/** Parsers of message parts that several providers share. Each returns null for an invalid value. */
export function readSymbol(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_SYMBOL_LENGTH ? value : null
}

/** Parses a price given as text. A provider that writes numbers as text does so in every message. */
export function readPriceText(value: unknown): string | null {
  return aboveZero(decimalText(value))
}

export function readIsoTime(value: unknown): Instant | null {
  return typeof value === 'string' ? parseIsoTime(value) : null
}

export const SYMBOL = part(readSymbol, 'not a symbol')
export const ISO_TIME = part(readIsoTime, 'not a time')

/** Validates a message that contains no trade. Throws `Unreadable` with the name of the wrong field, but without the received value. */
export function fit<T extends z.ZodType>(schema: T, message: unknown, what: string): z.output<T> {
  const read = schema.safeParse(message)
  if (read.success) return read.data
  const [first] = read.error.issues
  throw new Unreadable(`${[what, ...(first?.path ?? [])].join('.')}: ${first?.message ?? 'not understood'}`, null)
}

function part<T>(read: (value: unknown) => T | null, otherwise: string) {
  return z.unknown().transform((value, context) => {
    const found = read(value)
    if (found !== null) return found
    context.addIssue(otherwise)
    return z.NEVER
  })
}
