import { z } from 'zod'
import { parseMoney } from '#core/money/money.ts'
import { readAmount } from '#core/money/typed-amount.ts'
import { readStaffNumber, staffNumberText } from '#core/money/staff-number.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'

/**
 * The text of an amount in the base currency as staff type it, converted to plain decimal text. A text that is no
 * amount stays unchanged, so that the next rule of the schema refuses it.
 */
export const TypedText = z.string().transform((text) => {
  const trimmed = text.trim()
  // Amounts that are stored already have a plain form and stay exactly as they are.
  if (parseMoney(trimmed) !== null) return trimmed
  return readAmount(trimmed, BASE_CURRENCY, '.').ok ? (staffNumberText(trimmed) ?? trimmed) : trimmed
})

/** Whether a setting is an amount. Amounts are stored as text, because numbers of JSON are not exact. */
export function isAmountSetting(key: string): boolean {
  return key === 'two_people_above' || key === 'one_person_daily' || key.startsWith('bonus_')
}

/** A number, or its text as staff type it. The schema checks the number. */
export function typed<T extends z.ZodType>(schema: T) {
  return z.preprocess((value) => (typeof value === 'string' ? (readStaffNumber(value) ?? value) : value), schema)
}
