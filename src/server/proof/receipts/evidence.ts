import { SALE_LOOK_MS } from '#core/orders/sale/sale-rule.ts'
import { findSale } from '#server/proof/receipts/sold-orders.queries.ts'
import { readBatchText } from '#core/markets/log-text.ts'
import { MAX_CLOCK_SKEW_MS } from '#core/markets/tick.ts'
import { fromHex, toHex } from '#core/proof/bytes.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { ok, refuse, type Result } from '#core/result.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { listTermsTexts } from '#server/market-data/catalogue/terms.queries.ts'
import { findSourceVersionByHash } from '#server/market-data/source-versions/source-versions.queries.ts'
import type { AcceptedOrderFacts } from '#server/proof/receipts/order-facts.ts'
import type { FoundOrder } from '#server/proof/receipts/find-receipt.ts'
import { readSettledOrders, readAcceptedOrders } from '#server/proof/receipts/order-rows.queries.ts'
import {
  batchesAfter,
  batchesBefore,
  placeOfTime,
  startOfBatchWith,
} from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'

/** The ranges of the tick log from which an order is recalculated. */
export interface OrderEvidence {
  readonly entryLog: readonly LogBatch[]
  readonly exitLog: readonly LogBatch[]
  /** The published trade terms and price sources that receipts from rule 2 on depend on. */
  readonly terms: readonly string[]
  readonly sources: readonly string[]
}

type EvidenceRefusal = 'receipt_not_yet' | 'evidence_gone' | 'evidence_large'
type Piece = Result<LogBatch[], EvidenceRefusal>

/** 8 MB. A price may be ten minutes old, and a busy tick log grows by several megabytes in this time. */
const MAX_LOG_BYTES = 8_000_000
/**
 * In bytes: additional ticks before the entry and before the exit, for people to read. Before the exit, this is about a
 * minute of a tick log with 30 symbols.
 */
const [SHOWN_BEFORE_ENTRY, SHOWN_BEFORE_EXIT] = [40_000, 320_000]
const BATCHES_PER_READ = 200
/** 10,000 is ample: an operator announces some hundred trade terms in years. */
const MAX_TERMS = 10_000

/**
 * Collects the ticks that a receipt needs, and earlier ticks as far as they fit into the size limit and are still
 * stored. Refuses when retention has deleted ticks that the receipt needs.
 */
export async function evidenceOf(db: Db, order: FoundOrder): Promise<Result<OrderEvidence, EvidenceRefusal>> {
  const [acceptedOrder] = await readAcceptedOrders(db, [order])
  if (acceptedOrder === undefined) return refuse('evidence_gone')
  const entryLog = await piece(db, acceptedOrder.entry.q, acceptedOrder.head.q)
  if (!entryLog.ok) return entryLog
  const entryShown = await shownBefore(db, entryLog.value, { bytes: SHOWN_BEFORE_ENTRY, notBefore: 0 })
  const texts = await publishedTexts(db, acceptedOrder, entryLog.value)
  if (order.settledMs === null) return ok({ entryLog: entryShown, exitLog: [], ...texts })
  const sold = await findSale(db, order.orderId)
  if (sold !== null) {
    const since = await placeBefore(db, sold.requestedMs - SALE_LOOK_MS)
    const saleLog = await piece(db, Math.min(since ?? sold.headQ, sold.headQ), sold.headQ)
    return saleLog.ok ? ok({ entryLog: entryShown, exitLog: saleLog.value, ...texts }) : saleLog
  }
  const [settledOrder] = await readSettledOrders(db, [order])
  if (settledOrder === undefined) return refuse('receipt_not_yet')
  const from =
    settledOrder.sinceSeq ??
    settledOrder.exit?.q ??
    (await placeBefore(db, settledOrder.expiresMs - settledOrder.maxTickAgeMs - MAX_CLOCK_SKEW_MS))
  const exitLog = await piece(
    db,
    Math.min(from ?? settledOrder.decidedHead.q, settledOrder.decidedHead.q),
    settledOrder.decidedHead.q,
  )
  if (!exitLog.ok) return exitLog
  const since = { bytes: SHOWN_BEFORE_EXIT, notBefore: entryShown[0]?.first_seq ?? 0 }
  return ok({ entryLog: entryShown, exitLog: await shownBefore(db, exitLog.value, since), ...texts })
}

/**
 * Reads the trade terms, and the configuration of the price sources that the log names at the entry price. The
 * configuration in force at the opening can be a newer one: an order shortly after a change still has a price from
 * before it.
 */
async function publishedTexts(
  db: Db,
  { group, entry }: AcceptedOrderFacts,
  entryLog: readonly LogBatch[],
): Promise<Pick<OrderEvidence, 'terms' | 'sources'>> {
  if (group === undefined) return { terms: [], sources: [] }
  const terms = await listTermsTexts(db, null, MAX_TERMS)
  const batch = entryLog.find(({ first_seq: first, last_seq: last }) => first <= entry.q && last >= entry.q)
  const named = batch === undefined ? undefined : readBatchText(batch.payload)?.header?.sources
  const version = named === undefined ? null : await findSourceVersionByHash(db, fromHex(named))
  return { terms: terms.toReversed(), sources: version === null ? [] : [version.text] }
}

/**
 * Finds the last sequence number of the tick log that was written before an instant. Returns 1 if all ticks are later,
 * and null if no later tick exists.
 */
async function placeBefore(db: Db, atMs: number): Promise<number | null> {
  const next = await placeOfTime(db, instant(atMs))
  return next === null ? null : Math.max(1, next - 1)
}

/** Reads the batches from the one that contains `from` to the one that ends at `to`. Incomplete ranges are refused. */
async function piece(db: Db, from: number, to: number): Promise<Piece> {
  const start = await startOfBatchWith(db, from)
  if (start === null) return refuse('evidence_gone')
  const batches: LogBatch[] = []
  let bytes = 0
  for (let seq = start - 1; seq < to; ) {
    const found = await batchesAfter(db, seq, BATCHES_PER_READ)
    if (found.length === 0) return refuse('evidence_gone')
    for (const batch of found) {
      if (batch.lastSeq > to) break
      const shown = toLogBatch(batch)
      if (shown === null) return refuse('evidence_gone')
      batches.push(shown)
      bytes += sizeOf(shown)
    }
    if (bytes > MAX_LOG_BYTES) return refuse('evidence_large')
    seq = found.at(-1)?.lastSeq ?? to
  }
  return ok(batches)
}

/**
 * Adds earlier batches to a range. Adds only complete batches that fit into the size limit, and none before
 * `notBefore`.
 */
async function shownBefore(
  db: Db,
  log: readonly LogBatch[],
  { bytes, notBefore }: { readonly bytes: number; readonly notBefore: number },
): Promise<LogBatch[]> {
  const before: LogBatch[] = []
  let left = bytes - log.reduce((sum, batch) => sum + sizeOf(batch), 0)
  let seq = log[0]?.first_seq ?? 0
  while (left > 0 && seq > notBefore) {
    const found = await batchesBefore(db, seq, BATCHES_PER_READ)
    if (found.length === 0) break
    for (const batch of found) {
      const shown = toLogBatch(batch)
      left -= shown === null ? left : sizeOf(shown)
      if (shown === null || left < 0 || batch.firstSeq < notBefore) return [...before.toReversed(), ...log]
      before.push(shown)
      seq = batch.firstSeq
    }
  }
  return [...before.toReversed(), ...log]
}

/** Estimates the size of a batch in a reply. */
function sizeOf({ payload }: LogBatch): number {
  return payload.length + 250
}

function toLogBatch({ firstSeq, lastSeq, previousHash, hash, payload }: BatchRow): LogBatch | null {
  if (payload === null) return null
  return { first_seq: firstSeq, last_seq: lastSeq, previous_hash: toHex(previousHash), hash: toHex(hash), payload }
}
