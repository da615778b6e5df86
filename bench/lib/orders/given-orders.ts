import { ID_BYTES } from './protocol.ts'

const IN_PIECE = 1 << 16

interface Piece {
  readonly times: Float64Array
  readonly expiries: Float64Array
  readonly ids: Buffer
}

/**
 * Of every order ever given: when it was given or due; when it ends, and its id, once it was accepted. Kept in pieces: what grows as
 * one is copied as a whole when it is full, and for tens of millions of orders nobody would hear an answer meanwhile.
 */
export class GivenOrders {
  readonly #pieces: Piece[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  /** Answers its number: 0 for the first one. */
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

  /** Its id begins there. */
  noteId(nth: number, bytes: Buffer, from: number): void {
    bytes.copy(this.#pieceOf(nth).ids, (nth % IN_PIECE) * ID_BYTES, from, from + ID_BYTES)
  }

  /** The ids of those that were accepted, piece by piece. */
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
