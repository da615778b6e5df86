import type { GatewayOut } from '#contract/deposits.ts'
import { basisPoints, type Money } from '#core/money/money.ts'
import type { DepositTerms } from '#core/wallet/deposit-quote.ts'
import { formatMoney } from '#ui/format.ts'
import { moneyOf } from '#web/i18n/amounts.ts'
import { t } from '#web/i18n/t.ts'

/** A way to pay in or to be paid out. */
type WithTerms = Pick<GatewayOut, 'single_currency'>

/** The terms as the wire has them, as exact figures. */
export function termsOf({ single_currency: terms }: WithTerms): DepositTerms {
  return {
    minimum: moneyOf(terms.min_amount),
    maximum: moneyOf(terms.max_amount),
    fixedCharge: moneyOf(terms.fixed_charge),
    percentCharge: basisPoints(Math.round(terms.percent_charge * 100)),
    rate: BigInt(Math.round(terms.rate * 1_000_000)),
  }
}

/** "1% + 1.00", "no fee". */
export function feeText(way: WithTerms): string {
  const { percentCharge, fixedCharge } = termsOf(way)
  const parts = [
    ...(percentCharge > 0 ? [`${percentCharge / 100}%`] : []),
    ...(fixedCharge > 0n ? [plain(fixedCharge)] : []),
  ]
  return parts.length === 0 ? t('deposit.no_fee') : parts.join(' + ')
}

/** "1,250.00", without a sign: the currency stands beside it. */
export function plain(amount: Money): string {
  return formatMoney(amount, { symbol: '' })
}
