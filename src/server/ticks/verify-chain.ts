import type { Db } from '#server/db/tables.ts'
import { type BatchRow, batchesAfter } from '#server/ticks/tick-batch.queries.ts'
import { batchHash, GENESIS_HASH, sameHash, textToTicks, ticksToText } from '#server/ticks/tick-text.ts'

export type ChainReport =
  | { readonly ok: true; readonly batches: number; readonly lastSeq: number; readonly hash: Uint8Array }
  | { readonly ok: false; readonly firstSeq: number; readonly why: string }

const PAGE = 500

/** Walks the whole tick log and checks that nothing was changed, left out or put in between. Stops at the first fault. */
export async function verifyTickChain(db: Db): Promise<ChainReport> {
  let batches = 0
  let lastSeq = 0
  let hash = GENESIS_HASH
  for (;;) {
    const page = await batchesAfter(db, lastSeq, PAGE)
    for (const batch of page) {
      const why = faultOf(batch, lastSeq, hash)
      if (why !== null) return { ok: false, firstSeq: batch.firstSeq, why }
      batches += 1
      lastSeq = batch.lastSeq
      hash = batch.hash
    }
    if (page.length < PAGE) return { ok: true, batches, lastSeq, hash }
  }
}

function faultOf(batch: BatchRow, lastSeq: number, previousHash: Uint8Array): string | null {
  if (batch.firstSeq !== lastSeq + 1) return 'a batch is missing before this one'
  if (!sameHash(batch.previousHash, previousHash)) return 'it does not follow the batch before'
  if (!sameHash(batch.hash, batchHash(previousHash, batch.payload))) return 'its content does not match its hash'
  return contentFault(batch)
}

function contentFault(batch: BatchRow): string | null {
  try {
    const ticks = textToTicks(batch.payload)
    if (ticksToText(ticks) !== batch.payload) return 'its text is not in the canonical form'
    const inOrder = ticks.every((tick, index) => tick.seq === batch.firstSeq + index)
    if (!inOrder || ticks.length !== batch.lastSeq - batch.firstSeq + 1) return 'its ticks are not numbered in order'
    const times = ticks.map((tick) => tick.time)
    const isBounded = Math.min(...times) === batch.firstTime && Math.max(...times) === batch.lastTime
    return isBounded ? null : 'its times do not match its ticks'
  } catch (error) {
    return error instanceof Error ? error.message : 'its text cannot be read'
  }
}
