import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, parseMoney } from '#core/money/money.ts'
import { type AmountFlaw, readAmount, type ReadAmount, readDecimal } from '#core/money/typed-amount.ts'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'

/** Reads an amount in the notation of the user's language. */
export function readTyped(typed: string, currency: string = BASE_CURRENCY): ReadAmount {
  return readAmount(typed, currency, currentLanguage().decimal)
}

/**
 * Reads a price or a percentage in the notation of the user's language, as plain decimal text. Null when the text is no
 * number.
 */
export function readTypedDecimal(typed: string, decimals: number): string | null {
  return readDecimal(typed, decimals, currentLanguage().decimal)
}

/** Returns what is wrong with the text of a field in the base currency; undefined for an amount. */
export function amountProblem(typed: string, name: string): string | undefined {
  const read = readTyped(typed)
  if (read.ok) return undefined
  return read.flaw === 'empty' ? t('common.required', { name }) : amountFlawText(read, BASE_CURRENCY)
}

/**
 * Whether a text with too many decimals is below a minimum, however it is rounded. Then the minimum is what the user
 * needs to know: the nearest amounts would be refused too.
 */
export function isBelowMinimum(flaw: AmountFlaw, minimum: Money): boolean {
  return flaw.flaw === 'decimals' && (parseMoney(flaw.upper) ?? minimum) < minimum
}

/** Returns why a text is not an amount, and how to write one. */
export function amountFlawText(flaw: AmountFlaw, currency: string): string {
  switch (flaw.flaw) {
    case 'unclear':
    case 'invalid':
      // This text shows how to write an amount, so it also helps after a sign or a letter in the amount.
      return t('common.amount_unclear')
    case 'decimals': {
      const amounts = [...new Set([flaw.lower, flaw.upper])].join(' / ')
      return t('common.amount_decimals', { currency, decimals: flaw.decimals, amounts })
    }
    default:
      return t('refusal.amount_invalid')
  }
}
