import { toHex } from '#core/proof/bytes.ts'
import type { Db } from '#server/platform/database/tables.ts'
import { readHeads } from '#server/proof/receipts/order-rows.queries.ts'
import type { LogHead } from '#server/market-data/tick-log/tick-batch.queries.ts'

/** 20,000 hashes: half an hour of a busy tick log, about 3 MB. */
const MAX_HEADS = 20_000

/**
 * Caches the hexadecimal hashes of the tick log at the heads at which orders were accepted. Older hashes are read from
 * the database.
 */
export class KnownHeads {
  readonly #hashes = new Map<number, string>()

  hashOf({ lastSeq, hash }: LogHead): string {
    const known = this.#hashes.get(lastSeq)
    if (known !== undefined) return known
    const text = toHex(hash)
    this.#keep(lastSeq, text)
    return text
  }

  /** Returns the hash of the tick log at each sequence number. */
  async at(db: Db, seqs: ReadonlySet<number>): Promise<ReadonlyMap<number, string>> {
    const found = new Map<number, string>()
    for (const seq of seqs) {
      const known = this.#hashes.get(seq)
      if (known !== undefined) found.set(seq, known)
    }
    if (found.size === seqs.size) return found
    const read = await readHeads(
      db,
      [...seqs].filter((seq) => !found.has(seq)),
    )
    for (const [seq, hash] of read) {
      found.set(seq, hash)
      this.#keep(seq, hash)
    }
    return found
  }

  #keep(seq: number, hash: string): void {
    this.#hashes.set(seq, hash)
    if (this.#hashes.size <= MAX_HEADS) return
    const [oldest] = this.#hashes.keys()
    if (oldest !== undefined) this.#hashes.delete(oldest)
  }
}
