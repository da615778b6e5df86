import { z } from 'zod'
import { MARKET_TYPES, readMarketType } from '#core/markets/market.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { readDay } from '#server/market-data/tick-archive/tick-day.ts'

const MAX_REASON_LENGTH = 500

/** A text whose digits may be of any script. They become the digits 0 to 9. */
export const DigitText = z.string('is required').trim().transform(asciiDigits)

/** A text for people: a reason, a note or feedback. */
export const Words = z
  .string('is required')
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_REASON_LENGTH, `must have at most ${MAX_REASON_LENGTH} characters`)

/** The reference of a deposit or withdrawal in upper or lower case, with the length of any reference issued so far. */
export const Trx = DigitText.transform((text) => text.toUpperCase()).pipe(
  z.string().regex(/^FW-[0-9A-Z-]{1,37}$/, 'is not a reference such as FW-0TXWD-7Q4M2-9A3BK'),
)

export const Name = z.string('is required').trim().min(1, 'is required').max(100, 'is too long')

export const MarketTypeText = z.string('is required').transform((text, context) => {
  const type = readMarketType(text)
  if (type === null) context.addIssue(`is not a market: one of ${MARKET_TYPES.join(', ')}`)
  return type ?? z.NEVER
})

/** Parses a day such as `2026-11-20` to its midnight in UTC. */
export const DayText = DigitText.transform((text, context) => {
  const start = readDay(text)
  if (start === null) context.addIssue('is not a day such as 2026-11-20')
  return start ?? z.NEVER
})

export const RowLimit = DigitText.pipe(z.string().regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 9999'))
  .transform(Number)
  .default(100)
