import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyText } from '#core/money/money.ts'
import { readAmount } from '#core/money/typed-amount.ts'

/** Whether an amount is readable: a point for decimals, commas for thousands. */
export function isAmount(typed: string, currency: string = BASE_CURRENCY): boolean {
  return readAmount(typed, currency, '.').ok
}

/**
 * Converts a typed amount for the request. An unreadable amount is sent unchanged, so that the server names the error.
 */
export function plainAmount(typed: string, currency: string = BASE_CURRENCY): string {
  const read = readAmount(typed, currency, '.')
  return read.ok ? moneyText(read.amount) : typed.trim()
}
