import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { moneyText } from '#core/money/money.ts'
import { readAmount } from '#core/money/typed-amount.ts'

/** Whether an amount can be read as people write it: with a point for decimals, and thousands by commas. */
export function isAmount(typed: string, currency: string = BASE_CURRENCY): boolean {
  return readAmount(typed, currency, '.').ok
}

/** An amount as it is sent. What cannot be read goes as it was typed, and the server says what is wrong with it. */
export function plainAmount(typed: string, currency: string = BASE_CURRENCY): string {
  const read = readAmount(typed, currency, '.')
  return read.ok ? moneyText(read.amount) : typed.trim()
}
