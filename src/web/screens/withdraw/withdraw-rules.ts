import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { PIN_DIGITS, readPin } from '#core/accounts/pin.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { type Money, ZERO } from '#core/money/money.ts'
import { quoteWithdrawal, type WithdrawalQuote, type WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'
import { amountFlawText, isBelowMinimum, readTyped } from '#web/forms/typed-amount.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { plain, termsOf } from '#web/gateways/gateway-terms.ts'
import { t } from '#web/i18n/t.ts'

export type WithdrawField = 'method_id' | 'amount' | 'withdrawal_code'

/**
 * The money of the user, and whether the account is being closed or excluded. If so, all the money can be withdrawn.
 */
interface OwnMoney {
  readonly balance: Money
  readonly isClosed: boolean
}

/** Returns the charge terms for an amount. The minimum does not apply to the last money of a closed account. */
function termsFor(method: WithdrawMethodOut, { balance, isClosed }: OwnMoney, amount: Money): WithdrawalTerms {
  const terms = termsOf(method)
  return isClosed && amount === balance ? { ...terms, minimum: ZERO } : terms
}

/** Returns the quote for a typed amount, by the server's rule; null when the method does not accept the amount. */
export function quoteOf(method: WithdrawMethodOut, own: OwnMoney, typed: string): WithdrawalQuote | null {
  const read = readTyped(typed)
  if (!read.ok) return null
  const quote = quoteWithdrawal(termsFor(method, own, read.amount), read.amount)
  return quote.ok ? quote.value : null
}

/**
 * Returns the maximum withdrawal from a balance: all of it, up to the method's maximum. Null when the balance is less
 * than the minimum, or when the fee would take everything.
 */
export function maximumAmount(method: WithdrawMethodOut, own: OwnMoney): Money | null {
  const { maximum: limit } = termsOf(method)
  const maximum = own.balance < limit ? own.balance : limit
  return quoteWithdrawal(termsFor(method, own, maximum), maximum).ok ? maximum : null
}

/** Returns the errors by field. */
export function withdrawErrors(
  method: WithdrawMethodOut | null,
  own: OwnMoney,
  values: Readonly<Record<WithdrawField, string>>,
): FieldErrors<WithdrawField> {
  return {
    method_id: method === null ? t('common.required', { name: t('withdraw.method') }) : undefined,
    amount: amountError(method, own, values.amount),
    withdrawal_code: pinError(values.withdrawal_code, t('withdraw.pin')),
  }
}

/** Returns the error of a typed PIN. */
export function pinError(typed: string, name: string): string | undefined {
  if (typed === '') return t('common.required', { name })
  return readPin(typed) !== null ? undefined : t('refusal.pin_format', { number: PIN_DIGITS })
}

function amountError(method: WithdrawMethodOut | null, own: OwnMoney, typed: string): string | undefined {
  const name = t('withdraw.amount')
  const read = readTyped(typed)
  if (!read.ok && read.flaw === 'empty') return t('common.required', { name })
  const limit = (value: Money) => ({ name, value: plain(value), currency: BASE_CURRENCY })
  if (!read.ok) {
    const minimum = method === null ? ZERO : termsFor(method, own, ZERO).minimum
    return isBelowMinimum(read, minimum)
      ? t('refusal.below_minimum', limit(minimum))
      : amountFlawText(read, BASE_CURRENCY)
  }
  const { amount } = read
  if (method !== null) {
    const terms = termsFor(method, own, amount)
    const quote = quoteWithdrawal(terms, amount)
    if (!quote.ok) {
      if (quote.refusal === 'below_minimum') return t('refusal.below_minimum', limit(terms.minimum))
      if (quote.refusal === 'above_maximum') return t('refusal.above_maximum', limit(terms.maximum))
      return t('withdraw.eaten_up')
    }
  }
  return amount > own.balance ? t('refusal.insufficient_balance') : undefined
}
