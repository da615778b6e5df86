import type { GatewayOut } from '#contract/deposits.ts'
import { formatDecimal } from '#core/money/decimal.ts'
import { basisPoints, type Money } from '#core/money/money.ts'
import type { DepositTerms } from '#core/wallet/deposit-quote.ts'
import type { WithdrawalTerms } from '#core/wallet/withdrawal-quote.ts'
import { formatMoney, groupedNumber } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'

/** A deposit gateway or a withdrawal method. */
type WithTerms = Pick<GatewayOut, 'single_currency'>

/** Converts the charge terms of the reply to exact amounts. */
export function termsOf({ single_currency: terms }: WithTerms): DepositTerms & WithdrawalTerms {
  return {
    minimum: moneyOf(terms.min_amount),
    maximum: moneyOf(terms.max_amount),
    fixedCharge: moneyOf(terms.fixed_charge),
    percentCharge: basisPoints(Math.round(terms.percent_charge * 100)),
    rate: BigInt(Math.round(terms.rate * 1_000_000)),
    currency: terms.currency,
  }
}

/** Formats the fee: "1% + 1.00", "no fee". */
export function feeText(way: WithTerms): string {
  const { percentCharge, fixedCharge } = termsOf(way)
  const parts = [
    ...(percentCharge > 0 ? [`${percentCharge / 100}%`] : []),
    ...(fixedCharge > 0n ? [plain(fixedCharge)] : []),
  ]
  return parts.length === 0 ? t('deposit.no_fee') : parts.join(' + ')
}

/** Formats an amount without a currency sign, "1,250.00", for texts that name the currency. */
export function plain(amount: Money): string {
  return formatMoney(amount, { symbol: '' })
}

/** Formats the rate of a currency, exactly as amounts are converted: "1.0800", "0.000038". At least four decimals. */
export function rateText(way: WithTerms): string {
  return groupedNumber(formatDecimal(termsOf(way).rate, 6).replace(/0{1,2}$/, ''))
}
