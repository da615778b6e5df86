import type { Leaf } from '#server/proof/receipts/leaves.ts'
import { KEY_BYTES, packKey } from '#server/proof/receipts/packed-keys.ts'
import { BATCH_SPAN_MS } from '#server/proof/receipts/receipt-batch.queries.ts'
import { type Digest, leafDigest, rootOfDigests } from '#server/proof/receipts/tree-root.ts'

const FIRST_SIZE = 64

/** Builds a tree leaf by leaf. Stores only the hash and the key of each order, so that little memory stays in use. */
export class MerkleBuilder {
  readonly #digests: Digest[] = []
  #keys = new Uint8Array(FIRST_SIZE * KEY_BYTES)
  #firstMs = Number.POSITIVE_INFINITY
  #lastMs = Number.NEGATIVE_INFINITY
  #doneMs = Number.NEGATIVE_INFINITY

  get count(): number {
    return this.#digests.length
  }

  /** When the first order of the tree was accepted or settled. */
  get firstMs(): number {
    return this.#firstMs
  }

  get lastMs(): number {
    return this.#lastMs
  }

  /**
   * When the last order of the tree was accepted, settled or decided. The tree must not be signed before this instant.
   */
  get doneMs(): number {
    return this.#doneMs
  }

  /** Returns whether an order at `atMs` fits into the time span of the tree. */
  reaches(atMs: number): boolean {
    return Math.max(this.#lastMs, atMs) - Math.min(this.#firstMs, atMs) <= BATCH_SPAN_MS
  }

  add({ userId, orderId, atMs, text, decidedMs = atMs }: Leaf): void {
    const place = this.#digests.length
    if ((place + 1) * KEY_BYTES > this.#keys.length) this.#keys = twice(this.#keys)
    packKey(this.#keys, place, { userId, orderId })
    this.#digests.push(leafDigest(text))
    this.#firstMs = Math.min(this.#firstMs, atMs)
    this.#lastMs = Math.max(this.#lastMs, atMs)
    this.#doneMs = Math.max(this.#doneMs, atMs, decidedMs)
  }

  /** Packs the user and order ids of the leaves, in the order of the leaves. `unpackKeys` reads them. */
  packedKeys(): Buffer {
    return Buffer.from(this.#keys.buffer, 0, this.count * KEY_BYTES)
  }

  root(): string {
    return rootOfDigests(this.#digests)
  }
}

function twice(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const more = new Uint8Array(2 * bytes.length)
  more.set(bytes)
  return more
}
