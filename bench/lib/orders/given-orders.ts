import { ID_BYTES } from './protocol.ts'

const IN_PIECE = 1 << 16

interface Piece {
  readonly times: Float64Array
  readonly expiries: Float64Array
  readonly ids: Buffer
}

/**
 * Records every placed order: when the order was placed or due, and, once accepted, its expiry and id. Stored in
 * pieces: a single growing array is copied as a whole when it is full. With tens of millions of orders, such copies
 * would delay replies.
 */
export class GivenOrders {
  readonly #pieces: Piece[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Adds an order and returns its number, from 0. */
  add(at: number): number {
    const nth = this.#count
    this.#count += 1
    if (nth % IN_PIECE === 0)
      this.#pieces.push({
        times: new Float64Array(IN_PIECE),
        expiries: new Float64Array(IN_PIECE),
        ids: Buffer.alloc(IN_PIECE * ID_BYTES),
      })
    this.#pieceOf(nth).times[nth % IN_PIECE] = at
    return nth
  }

  timeOf(nth: number): number {
    return this.#pieceOf(nth).times[nth % IN_PIECE] ?? 0
  }

  expiryOf(nth: number): number {
    return this.#pieceOf(nth).expiries[nth % IN_PIECE] ?? 0
  }

  noteExpiry(nth: number, at: number): void {
    this.#pieceOf(nth).expiries[nth % IN_PIECE] = at
  }

  /** Stores the order id that begins at the byte `from` of `bytes`. */
  noteId(nth: number, bytes: Buffer, from: number): void {
    bytes.copy(this.#pieceOf(nth).ids, (nth % IN_PIECE) * ID_BYTES, from, from + ID_BYTES)
  }

  /** Yields the ids of accepted orders, piece by piece. */
  *ids(): Iterable<Buffer> {
    for (const { ids } of this.#pieces) {
      const own: Buffer[] = []
      for (let at = 0; at < ids.length; at += ID_BYTES) if (ids[at] !== 0) own.push(ids.subarray(at, at + ID_BYTES))
      yield Buffer.concat(own)
    }
  }

  #pieceOf(nth: number): Piece {
    const piece = this.#pieces[Math.floor(nth / IN_PIECE)]
    if (piece === undefined) throw new Error(`order ${nth} was not given`)
    return piece
  }
}
