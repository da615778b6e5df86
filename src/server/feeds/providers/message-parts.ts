import { z } from 'zod'
import { instant } from '#core/time/instant.ts'
import { plainDecimal, plainPrice, plainTime, Unreadable } from '#server/feeds/providers/exact-json.ts'
import { parseIsoTime } from '#server/feeds/providers/iso-time.ts'

/** Parts that messages of several providers are made of: what a message must have so that a price is taken from it. */
export const SYMBOL = z.string().min(1).max(60)
export const PRICE = part(plainPrice, 'not a price')
export const VOLUME = part(plainDecimal, 'not a volume')
export const ISO_TIME = part((value) => (typeof value === 'string' ? parseIsoTime(value) : null), 'not a time')
export const TIME_MS = part((value) => {
  const time = plainTime(value)
  return time === null ? null : instant(time)
}, 'not a time')
/** The message in that form; throws `Unreadable`, which says what does not fit but not what was sent. */
export function fit<T extends z.ZodType>(schema: T, message: unknown, what: string): z.output<T> {
  const read = schema.safeParse(message)
  if (read.success) return read.data
  const [first] = read.error.issues
  throw new Unreadable(`${[what, ...(first?.path ?? [])].join('.')}: ${first?.message ?? 'not understood'}`)
}

function part<T>(read: (value: unknown) => T | null, otherwise: string) {
  return z.unknown().transform((value, context) => {
    const found = read(value)
    if (found !== null) return found
    context.addIssue(otherwise)
    return z.NEVER
  })
}
