import type { WithdrawMethodOut } from '#contract/withdrawals.ts'
import { isPin, PIN_DIGITS } from '#core/accounts/pin.ts'
import { BASE_CURRENCY } from '#core/ledger/transfer.ts'
import { basisPoints, type Money, parseMoney } from '#core/money/money.ts'
import { quoteWithdrawal, type WithdrawalQuote, type WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'
import { formatMoney } from '#ui/format.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'

export type WithdrawField = 'method_id' | 'amount' | 'withdrawal_code'

/** A method's terms as the wire has them, as exact figures. */
export function termsOf({ single_currency: terms }: WithdrawMethodOut): WithdrawalTerms {
  return {
    minimum: moneyOf(terms.min_amount),
    maximum: moneyOf(terms.max_amount),
    fixedCharge: moneyOf(terms.fixed_charge),
    percentCharge: basisPoints(Math.round(terms.percent_charge * 100)),
    rate: BigInt(Math.round(terms.rate * 1_000_000)),
  }
}

/** The quote for what is typed, null while it is no amount the method takes. The same rule as the server's. */
export function quoteOf(method: WithdrawMethodOut, typed: string): WithdrawalQuote | null {
  const amount = parseTyped(typed)
  if (amount === null) return null
  const quote = quoteWithdrawal(termsOf(method), amount)
  return quote.ok ? quote.value : null
}

/** What is wrong, by field. */
export function withdrawErrors(
  method: WithdrawMethodOut | null,
  balance: Money,
  values: Readonly<Record<WithdrawField, string>>,
): FieldErrors<WithdrawField> {
  return {
    method_id: method === null ? t('common.required', { name: t('withdraw.method') }) : undefined,
    amount: amountError(method, balance, values.amount),
    withdrawal_code: pinError(values.withdrawal_code, t('withdraw.pin')),
  }
}

/** What is wrong with a PIN that somebody typed. */
export function pinError(typed: string, name: string): string | undefined {
  if (typed === '') return t('common.required', { name })
  return isPin(typed) ? undefined : t('refusal.pin_format', { number: PIN_DIGITS })
}

function amountError(method: WithdrawMethodOut | null, balance: Money, typed: string): string | undefined {
  const name = t('withdraw.amount')
  if (typed === '') return t('common.required', { name })
  const amount = parseTyped(typed)
  if (amount === null) return t('refusal.amount_invalid')
  if (method !== null) {
    const terms = termsOf(method)
    const quote = quoteWithdrawal(terms, amount)
    const limit = (value: Money) => ({ name, value: plain(value), currency: BASE_CURRENCY })
    if (!quote.ok) {
      if (quote.refusal === 'below_minimum') return t('refusal.below_minimum', limit(terms.minimum))
      if (quote.refusal === 'above_maximum') return t('refusal.above_maximum', limit(terms.maximum))
      return t('withdraw.eaten_up')
    }
  }
  return amount > balance ? t('refusal.insufficient_balance') : undefined
}

/** "20." and ".5" are on the way to an amount; leading zeros do no harm. */
function parseTyped(typed: string): Money | null {
  return parseMoney(
    typed
      .replace(/^0+(?=\d)/, '')
      .replace(/^\./, '0.')
      .replace(/\.$/, ''),
  )
}

/** "0.5% + 5.00", "no fee". */
export function feeText(method: WithdrawMethodOut): string {
  const { percentCharge, fixedCharge } = termsOf(method)
  const parts = [
    ...(percentCharge > 0 ? [`${percentCharge / 100}%`] : []),
    ...(fixedCharge > 0n ? [plain(fixedCharge)] : []),
  ]
  return parts.length === 0 ? t('withdraw.no_fee') : parts.join(' + ')
}

/** "1,250.00", without a sign: the currency stands beside it. */
export function plain(amount: Money): string {
  return formatMoney(amount, { symbol: '' })
}
