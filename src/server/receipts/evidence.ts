import { MOST_AHEAD_MS } from '#core/markets/tick.ts'
import { toHex } from '#core/proof/bytes.ts'
import type { LogBatch } from '#core/proof/log-evidence.ts'
import { instant } from '#core/time/instant.ts'
import type { Db } from '#server/db/tables.ts'
import type { FoundOrder } from '#server/receipts/find-receipt.ts'
import { readEnded, readTaken } from '#server/receipts/order-rows.queries.ts'
import { type BatchRow, batchesAfter, placeOfTime, startOfBatchWith } from '#server/ticks/tick-batch.queries.ts'

/** The pieces of the log that an order is recomputed from. */
export interface OrderEvidence {
  readonly entryLog: readonly LogBatch[]
  readonly exitLog: readonly LogBatch[]
}

/** A minute and a half of a busy log; more than any piece has to show. */
const MOST_BATCHES = 2_000

/** Null when retention has gone through what would have to be shown. */
export async function evidenceOf(db: Db, order: FoundOrder): Promise<OrderEvidence | null> {
  const [taken] = await readTaken(db, [order])
  if (taken === undefined) return null
  const entryLog = await piece(db, taken.entry.q, taken.head.q)
  if (entryLog === null) return null
  const [ended] = order.settledMs === null ? [] : await readEnded(db, [order])
  if (ended === undefined) return { entryLog, exitLog: [] }
  const from = ended.exit?.q ?? (await placeBefore(db, ended.expiresMs - ended.maxTickAgeMs - MOST_AHEAD_MS))
  const exitLog = await piece(db, from, ended.decidedHead.q)
  return exitLog === null ? null : { entryLog, exitLog }
}

/** The last place that was written before a moment, or the first there is. */
async function placeBefore(db: Db, atMs: number): Promise<number> {
  const next = await placeOfTime(db, instant(atMs))
  return Math.max(1, (next ?? 1) - 1)
}

/** The batches from the one that holds a place to the one that ends at another; null when any is not whole any more. */
async function piece(db: Db, from: number, to: number): Promise<LogBatch[] | null> {
  const start = await startOfBatchWith(db, from)
  if (start === null) return null
  const batches: LogBatch[] = []
  for (let seq = start - 1; seq < to && batches.length < MOST_BATCHES; ) {
    const found = await batchesAfter(db, seq, 200)
    if (found.length === 0) break
    for (const batch of found) {
      if (batch.lastSeq > to) break
      const shown = toLogBatch(batch)
      if (shown === null) return null
      batches.push(shown)
    }
    seq = found.at(-1)?.lastSeq ?? to
  }
  return batches
}

function toLogBatch({ firstSeq, lastSeq, previousHash, hash, payload }: BatchRow): LogBatch | null {
  if (payload === null) return null
  return { first_seq: firstSeq, last_seq: lastSeq, previous_hash: toHex(previousHash), hash: toHex(hash), payload }
}
