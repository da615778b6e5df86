import type { GatewayOut } from '#contract/deposits.ts'
import { type DepositQuote, quoteDeposit } from '#core/wallet/deposit-quote.ts'
import { groupedNumber } from '#ui/format.ts'
import { answerErrors } from '#web/forms/answer-errors.ts'
import { amountFlawText, isBelowMinimum, readTyped } from '#web/forms/typed-amount.ts'
import type { FieldErrors } from '#web/forms/use-form.ts'
import { plain, termsOf } from '#web/gateways/gateway-terms.ts'
import { t } from '#web/i18n/t.ts'

/** Returns the quote for a typed amount, by the server's rule; null when the gateway does not accept the amount. */
export function quoteOf(gateway: GatewayOut, typed: string): DepositQuote | null {
  const read = readTyped(typed, gateway.single_currency.currency)
  if (!read.ok) return null
  const quote = quoteDeposit(termsOf(gateway), read.amount)
  return quote.ok ? quote.value : null
}

/** Returns amount × rate with the four decimals of the summary. */
export function receivedText(quote: DepositQuote): string {
  const tenThousandths = (quote.amount * 100n * quote.rate) / 1_000_000n
  const text = tenThousandths.toString().padStart(5, '0')
  return groupedNumber(`${text.slice(0, -4)}.${text.slice(-4)}`)
}

/** Returns the errors by field. The gateway's own fields are named `fields[<label>]`, as in the request. */
export function depositErrors(gateway: GatewayOut, values: Readonly<Record<string, string>>): FieldErrors<string> {
  const errors: FieldErrors<string> = { amount: amountError(gateway, values['amount'] ?? '') }
  for (const { label, type, is_required: isRequired } of gateway.form.form_data) {
    const name = fieldName(label)
    if (type === 'file' && isRequired && !values[name]) errors[name] = t('common.required', { name: label })
  }
  return { ...errors, ...answerErrors(gateway.form.form_data, values, fieldName) }
}

export function fieldName(label: string): string {
  return `fields[${label}]`
}

function amountError(gateway: GatewayOut, typed: string): string | undefined {
  const name = t('deposit.amount')
  const { currency } = gateway.single_currency
  const read = readTyped(typed, currency)
  if (!read.ok && read.flaw === 'empty') return t('common.required', { name })
  if (hasNoRate(gateway)) return t('refusal.rate_unavailable', { currency })
  const terms = termsOf(gateway)
  const belowMinimum = t('refusal.below_minimum', { name, value: plain(terms.minimum), currency })
  if (!read.ok) return isBelowMinimum(read, terms.minimum) ? belowMinimum : amountFlawText(read, currency)
  const quote = quoteDeposit(terms, read.amount)
  if (quote.ok) return undefined
  switch (quote.refusal) {
    case 'below_minimum':
      return belowMinimum
    case 'above_maximum':
      return t('refusal.above_maximum', { name, value: plain(termsOf(gateway).maximum), currency })
    default:
      return t('refusal.amount_invalid')
  }
}

/** Whether the rate is a live price that is currently missing. */
function hasNoRate({ is_live_rate: isLive, single_currency: { rate } }: GatewayOut): boolean {
  return isLive && rate === 0
}

const ROUND_AMOUNTS = [5, 10, 20, 50, 100, 500, 1_000, 5_000, 10_000, 50_000]

/** Returns at most five round amounts that the gateway accepts. */
export function quickAmounts(gateway: GatewayOut): number[] {
  const { min_amount, max_amount } = gateway.single_currency
  const acceptedAmounts = ROUND_AMOUNTS.filter((amount) => amount >= min_amount && amount <= max_amount)
  // Amounts from 100 are offered. If the gateway accepts fewer than 3 of these, smaller amounts are offered too.
  const usual = acceptedAmounts.filter((amount) => amount >= 100)
  return (usual.length >= 3 ? usual : acceptedAmounts).slice(0, 5)
}
