import { isResult } from '#core/proof/receipt-facts.ts'
import type { BundleCheck } from '#core/proof/check-bundle.ts'
import type { SaleFacts } from '#core/proof/sale-facts.ts'
import { groupedNumber } from '#ui/format.ts'
import { priceTextOf } from '#web/i18n/amounts.ts'
import { clockDateTime } from '#web/i18n/clock.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { t } from '#web/i18n/t.ts'

export const RECOMPUTED = { win: 'check.won', lose: 'check.lost', draw: 'check.draw' } as const

/** Returns the sentence of a check without faults: the recalculated result, or that the order is open. */
export function headlineText({ facts, recomputed, sale }: BundleCheck): string {
  if (sale !== null) return t('check.sold')
  if (facts === null || !isResult(facts) || recomputed === null) return t('check.running')
  return t(facts.void === null ? RECOMPUTED[recomputed] : 'check.void')
}

/** Returns the text with the price, the time and the chance of winning at the sale of an order. */
export function saleText({ decimals, tick, win }: SaleFacts): string {
  return t('check.sold_text', {
    price: groupedNumber(priceTextOf(tick.price / 10 ** decimals, decimals)),
    time: clockDateTime(tick.time_ms),
    percent: Math.round(win / 1e6) / 10,
  })
}

/** Whether a picture of the check may be made: this browser checked a published result or a sale, and it matches. */
export function isShareable({ check, areKeysOwn, isFromFile }: OrderCheck): boolean {
  const isClosed = (check.facts !== null && isResult(check.facts)) || check.sale !== null
  return isClosed && check.faults.length === 0 && !areKeysOwn && !isFromFile
}
