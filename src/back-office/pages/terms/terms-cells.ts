import type { TradeTermsRow } from '#contract/back-office/trade-terms.ts'
import { money } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

const NONE = '–'

export function payoutText({ payout }: TradeTermsRow): string {
  return payout === null ? NONE : t('markets.percent', { value: payout })
}

/** Formats the minimum and the maximum stake in force: "$10.00 to $5,000.00". */
export function stakesText({ min_amount: minimum, max_amount: maximum }: TradeTermsRow): string {
  return t('markets.stake_range', { least: amountText(minimum), most: amountText(maximum) })
}

function amountText(amount: number | null): string {
  return amount === null ? NONE : money(amount)
}
