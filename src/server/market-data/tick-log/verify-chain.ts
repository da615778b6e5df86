import { placedLines, readBatchText } from '#core/markets/log-text.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { batchPages, firstReferenceIn } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import { batchHash, GENESIS_HASH, sameHash } from '#server/market-data/tick-log/tick-text.ts'

export type ChainReport =
  | {
      readonly ok: true
      readonly batches: number
      /**
       * The number of batches whose text retention has removed. Only their sequence numbers, times and hashes are left.
       */
      readonly dropped: number
      readonly lastSeq: number
      readonly hash: Uint8Array
    }
  | { readonly ok: false; readonly firstSeq: number; readonly why: string }

/**
 * Reads the whole tick log and checks that nothing was changed, removed or inserted, and that no tick needed by an
 * order was removed. For a batch without its payload, only the sequence numbers and the link to the previous batch can
 * be checked. Stops at the first fault.
 */
export async function verifyTickChain(db: Db): Promise<ChainReport> {
  let batches = 0
  let dropped = 0
  let lastSeq = 0
  let hash = GENESIS_HASH
  try {
    for await (const page of batchPages(db, 0)) {
      for (const batch of page) {
        const why = faultOf(batch, lastSeq, hash)
        if (why !== null) return { ok: false, firstSeq: batch.firstSeq, why }
        batches += 1
        lastSeq = batch.lastSeq
        hash = batch.hash
      }
      const gone = page.filter(({ payload }) => payload === null)
      dropped += gone.length
      const missed = gone.length > 0 ? await firstReferenceIn(db, gone) : null
      if (missed !== null) return { ok: false, firstSeq: missed, why: 'a tick is gone that an order refers to' }
    }
  } catch (error) {
    // An unreadable pack is a fault of the log like any other.
    if (!(error instanceof RangeError)) throw error
    return { ok: false, firstSeq: lastSeq + 1, why: error.message }
  }
  return { ok: true, batches, dropped, lastSeq, hash }
}

function faultOf(batch: BatchRow, lastSeq: number, previousHash: Uint8Array): string | null {
  if (batch.firstSeq !== lastSeq + 1 || batch.lastSeq < batch.firstSeq) return 'a batch is missing before this one'
  if (!sameHash(batch.previousHash, previousHash)) return 'it does not follow the batch before'
  if (batch.payload === null) return null
  if (!sameHash(batch.hash, batchHash(previousHash, batch.payload))) return 'its content does not match its hash'
  return contentFault(batch, batch.payload)
}

function contentFault(batch: BatchRow, payload: string): string | null {
  const text = readBatchText(payload)
  if (text === null) return 'its text is not in the canonical form'
  const placed = placedLines(text)
  const inOrder = placed.every(({ q }, index) => q === batch.firstSeq + index)
  if (!inOrder || placed.length !== batch.lastSeq - batch.firstSeq + 1) return 'its ticks are not numbered in order'
  const times = placed.map(({ timeMs }) => timeMs)
  const isBounded = Math.min(...times) === batch.firstTime && Math.max(...times) === batch.lastTime
  return isBounded ? null : 'its times do not match its ticks'
}
