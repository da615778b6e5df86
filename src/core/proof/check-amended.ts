import { instant } from '#core/time/instant.ts'
import { price } from '#core/money/price.ts'
import { priceByRecord, type RecordTrade } from '#core/orders/rules/made-good.ts'
import type { Sha256 } from '#core/proof/bytes.ts'
import { isOwnersPart, type ReceiptFault, resultBy } from '#core/proof/check-receipt.ts'
import { isUnderRoot, type Receipt, type SignedRoot } from '#core/proof/receipt.ts'
import { type AmendedFacts, creditShare, type RecordFacts, withKind } from '#core/proof/receipt-facts.ts'
import { readAmendedFacts } from '#core/proof/read-facts.ts'

/**
 * - `terms`: the receipt amends another result than the result receipt of the same order.
 * - `amended`: by the named trades of the history, the result or the owed amount is different.
 */
export type AmendedFault = ReceiptFault | 'terms' | 'amended'

/**
 * Checks a receipt of an amended result. `result` is the receipt that it amends. `signed` is null when the signature of
 * the amended receipt is not valid.
 */
export function checkAmended(
  sha256: Sha256,
  { amended, result }: { readonly amended: Receipt; readonly result: Receipt | null },
  signed: SignedRoot | null,
): { readonly facts: AmendedFacts | null; readonly faults: readonly AmendedFault[] } {
  const facts = readAmendedFacts(amended.facts)
  if (facts === null) return { facts, faults: ['form'] }
  const faults: AmendedFault[] = []
  if (signed !== null && (!isUnderRoot(sha256, amended, signed) || signed.kind !== facts.kind)) faults.push('root')
  if (amended.owner !== undefined && !isOwnersPart(sha256, amended.owner, facts)) faults.push('owner')
  if (result === null || !amended.facts.startsWith(beginningOf(result))) faults.push('terms')
  if (facts.amended_ms < facts.decided_ms || (signed !== null && signed.made_ms < facts.amended_ms))
    faults.push('times')
  if (!followsFromRecord(facts)) faults.push('amended')
  return { facts, faults }
}

/** The text of an amended result begins with the text of the original result. */
function beginningOf({ facts }: Receipt): string {
  return `${withKind(facts, 'result', 'amended').slice(0, -1)},"by":`
}

function followsFromRecord(facts: AmendedFacts): boolean {
  const { record, expires_ms: expiresMs, payout_bp: payoutBp, max_tick_age_ms: ageMs } = facts
  const { entry, last, next } = record
  if (facts.evidence === 'none') return false
  if (entry !== undefined && !contradicts(entry, facts)) return false
  if (last !== null && last.time_ms > expiresMs) return false
  if (next !== null && next.time_ms <= expiresMs) return false
  if (last !== null && next !== null && (last.ref ?? 0) > (next.ref ?? 0)) return false
  const byRecord = priceByRecord({ last: toTrade(last) }, instant(expiresMs), ageMs)
  const owed = creditShare(facts.amended, payoutBp) - creditShare(facts.result, payoutBp)
  const began = { ...facts, entry: { ...facts.entry, price: (entry ?? facts.entry).price } }
  return resultBy(began, byRecord) === facts.amended && owed === facts.paid
}

/**
 * Whether a trade of the source's history can be the entry in place of the signed one. Such a trade has the same number
 * and another price, or an earlier number.
 */
function contradicts(entry: RecordFacts, { evidence, entry: signed }: AmendedFacts): boolean {
  if (evidence !== 'ids' || entry.ref === null || typeof signed.ref !== 'number') return false
  return entry.ref < signed.ref || (entry.ref === signed.ref && entry.price !== signed.price)
}

function toTrade(trade: RecordFacts | null): RecordTrade | null {
  return trade === null ? null : { ref: trade.ref, price: price(trade.price), time: instant(trade.time_ms) }
}
