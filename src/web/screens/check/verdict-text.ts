import type { BundleCheck } from '#core/proof/check-bundle.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { t } from '#web/i18n/t.ts'

export const RECOMPUTED = { win: 'check.won', lose: 'check.lost', draw: 'check.draw' } as const

/** Returns the sentence of a check without faults: the recalculated result, or that the order is open. */
export function headlineText({ facts, recomputed }: BundleCheck): string {
  if (facts?.kind !== 'result' || recomputed === null) return t('check.running')
  return t(facts.void === null ? RECOMPUTED[recomputed] : 'check.void')
}

/** Whether a picture of the check may be made: this browser checked a published result, and it matches. */
export function isShareable({ check, areKeysOwn, isFromFile }: OrderCheck): boolean {
  return check.facts?.kind === 'result' && check.faults.length === 0 && !areKeysOwn && !isFromFile
}
