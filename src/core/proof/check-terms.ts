import { readBatchText } from '#core/markets/log-text.ts'
import type { SourceConfiguration } from '#core/markets/sources/source-configuration.ts'
import { ALL, NO_PREVIOUS, readTermsText, type TermsEntry } from '#core/markets/terms/terms-entry.ts'
import { TermsHistory } from '#core/markets/terms/terms-history.ts'
import { asciiBytes, type Sha256, toHex } from '#core/proof/bytes.ts'
import { leafHash } from '#core/proof/hash-tree.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { isResult, type ReceiptFacts } from '#core/proof/receipt-facts.ts'
import type { SaleFacts } from '#core/proof/sale-facts.ts'
import { basisPoints } from '#core/money/money.ts'
import { isWithoutHistory } from '#core/orders/order.ts'
import { salePauses } from '#core/markets/terms/sale-pauses.ts'
import { isSalePaused } from '#core/orders/sale/sale-pause.ts'
import { saleTermsValue } from '#core/orders/sale/sale-terms.ts'
import { parseJson } from '#core/text/parse-json.ts'
import { DAY_MS, HOUR_MS, instant, SECOND_MS } from '#core/time/instant.ts'

export interface PublishedTexts {
  /** The trade terms from the first entry on. */
  readonly terms: readonly string[]
  /** The published configurations of the price sources, as texts. */
  readonly sources: readonly string[]
  readonly entryLog: readonly LogBatch[]
}

/**
 * Whether the published trade terms and price sources allow an order as it was accepted. Receipts of rule 1 do not name
 * them.
 */
export function areTermsPublished(sha256: Sha256, facts: ReceiptFacts, texts: PublishedTexts): boolean {
  if (facts.v === 1) return true
  const entries = readChain(sha256, texts.terms)
  if (entries === null || facts.terms === undefined) return false
  const { n, hash } = facts.terms
  const named = texts.terms[n - 1]
  if (named === undefined || hashOf(sha256, named) !== hash) return false
  const history = new TermsHistory(entries)
  const at = instant(facts.opened_ms)
  const of = String((facts.expires_ms - facts.opened_ms) / SECOND_MS)
  const payout = history.inForce('payout', of, at)
  return (
    payout?.n === n &&
    payout.value === String(facts.payout_bp) &&
    history.inForce('duration', of, at)?.value === 'open' &&
    history.inForce('max_tick_age', facts.symbol, at)?.value === String(facts.max_tick_age_ms) &&
    history.inForce('rule', ALL, at)?.value === String(facts.rule) &&
    isClassPublished(sha256, facts, texts)
  )
}

/**
 * Whether an order was voided too early because the history of its source was not available. A live site requests the
 * history for a day. Only a demo, whose notice of new terms can be shorter than an hour, requests it for less.
 */
export function isVoidedEarly(sha256: Sha256, facts: ReceiptFacts, texts: readonly string[]): boolean {
  if (!isResult(facts) || !isWithoutHistory(facts.void)) return false
  const notice = new TermsHistory(readChain(sha256, texts) ?? []).inForce('notice', ALL, instant(facts.opened_ms))
  const isDemo = notice !== null && /^\d+$/.test(notice.value) && Number(notice.value) < HOUR_MS
  return !isDemo && facts.decided_ms < facts.expires_ms + DAY_MS
}

/**
 * Checks a sale against the published trade terms.
 * - `terms_unknown`: the trade terms did not offer the sale as its receipt says.
 * - `sale_limits`: an announced pause touches the time from 20 minutes before the request to the expiry. This time
 *   includes the tick of the sale, which is later than the request.
 */
export function saleTermsFault(
  sha256: Sha256,
  facts: SaleFacts,
  texts: readonly string[],
): 'terms_unknown' | 'sale_limits' | null {
  const entries = readChain(sha256, texts)
  const { n, hash } = facts.sale_terms
  const named = texts[n - 1]
  if (entries === null || named === undefined || hashOf(sha256, named) !== hash) return 'terms_unknown'
  const history = new TermsHistory(entries)
  const requestedAt = instant(facts.requested_ms)
  const entry = history.inForce('sale', facts.symbol, requestedAt)
  const value = saleTermsValue({ scale: facts.c, fee: basisPoints(facts.fee_bp) })
  if (entry?.n !== n || entry.value !== value) return 'terms_unknown'
  const pauses = salePauses(history, { code: facts.symbol, marketType: facts.market })
  return isSalePaused(pauses, requestedAt, instant(facts.expires_ms)) ? 'sale_limits' : null
}

/** Each entry names the hash of the previous entry, so only the newest entries could be left out. */
function readChain(sha256: Sha256, texts: readonly string[]): readonly TermsEntry[] | null {
  const entries: TermsEntry[] = []
  let previous = NO_PREVIOUS
  for (const text of texts) {
    const entry = readTermsText(text)
    if (entry === null || entry.n !== entries.length + 1 || entry.previous !== previous) return null
    entries.push(entry)
    previous = hashOf(sha256, text)
  }
  return entries
}

/**
 * Whether the source has the same class in the receipt and in the published configuration that the log names at the
 * entry tick.
 */
function isClassPublished(sha256: Sha256, facts: ReceiptFacts, { sources, entryLog }: PublishedTexts): boolean {
  const batch = entryLog.find(({ first_seq: first, last_seq: last }) => first <= facts.entry.q && last >= facts.entry.q)
  const hash = batch === undefined ? undefined : readBatchText(batch.payload)?.header?.sources
  if (!sources.every((one) => hashOf(sha256, one) === hash)) return false
  const [text] = sources
  // Batches in text format 1, and feeds of tests, name no configuration, so their sources have no class.
  if (text === undefined) return facts.evidence === 'none'
  const fields = parseJson(text) as Partial<SourceConfiguration> | null
  const own = fields?.symbols?.find(({ id }) => id === facts.symbol_id)
  const published = own?.sources.find(({ provider }) => provider === facts.source)?.class ?? 'none'
  return published === facts.evidence
}

/** The hash of an entry of the register. */
function hashOf(sha256: Sha256, text: string): string {
  return toHex(leafHash(sha256, asciiBytes(text)))
}
