import { instant, type Instant } from '#core/time/instant.ts'
import type { Fence } from '#server/platform/cluster/lease.queries.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { batchesAfter, insertBatch, type LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'
import type { BatchRow } from '#server/market-data/tick-log/tick-pack.ts'
import { batchHash, GENESIS_HASH, sameHash } from '#server/market-data/tick-log/tick-text.ts'

export interface LogEndOptions {
  readonly ctx: Ctx
  /** The lease under which batches are written; null where no other server can write. */
  readonly fence: Fence | null
  /** Receives each batch that another writer appended. */
  readonly onForeign: (payload: string) => void
}

/** The end of the log, as this server knows it. Each batch continues it. */
export class LogEnd {
  readonly #options: LogEndOptions
  head: LogHead = { lastSeq: 0, hash: GENESIS_HASH }

  constructor(options: LogEndOptions) {
    this.#options = options
  }

  /** The sequence number of the next line. */
  get nextSeq(): number {
    return this.head.lastSeq + 1
  }

  /**
   * Appends the text of a batch whose lines have these times. `refused`: another server holds the lease now. After `failed` the caller
   * writes the text again, because the end of the log may have moved.
   */
  async append(times: readonly Instant[], payload: string, attempt: number): Promise<'written' | 'refused' | 'failed'> {
    const { ctx, fence } = this.#options
    const batch = this.#makeBatch(times, payload)
    try {
      if (!(await insertBatch(ctx.db, batch, fence))) {
        ctx.log.warn({ lines: times.length }, 'a batch of the tick log was refused: another server writes the log')
        return 'refused'
      }
      this.head = { lastSeq: batch.lastSeq, hash: batch.hash }
      return 'written'
    } catch (error) {
      ctx.log.warn({ err: error, attempt, lines: times.length }, 'a batch of the tick log could not be written')
    }
    return (await this.#catchUp(batch).catch(() => false)) ? 'written' : 'failed'
  }

  #makeBatch(times: readonly Instant[], payload: string): BatchRow & { payload: string } {
    return {
      firstSeq: this.nextSeq,
      lastSeq: this.head.lastSeq + times.length,
      firstTime: instant(Math.min(...times)),
      lastTime: instant(Math.max(...times)),
      writtenAt: this.#options.ctx.now(),
      payload,
      previousHash: this.head.hash,
      hash: batchHash(this.head.hash, payload),
    }
  }

  /**
   * After a failure only the log shows what happened. This batch may have been committed although the reply was lost,
   * or another writer continued from the same head. Passes ticks of other writers to `onForeign`. Returns true when
   * this batch is in the log.
   */
  async #catchUp(ours: BatchRow): Promise<boolean> {
    const { ctx, onForeign } = this.#options
    const rows = await batchesAfter(ctx.db, this.head.lastSeq, 1_000)
    for (const row of rows) {
      this.head = { lastSeq: row.lastSeq, hash: row.hash }
      if (sameHash(row.hash, ours.hash)) return true
      ctx.log.warn({ firstSeq: row.firstSeq }, 'another writer added to the tick log')
      // A batch written just now still has its payload: retention waits for days.
      onForeign(row.payload ?? '')
    }
    return false
  }
}
