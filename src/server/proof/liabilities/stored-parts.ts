import { numberAt, putNumber } from '#core/proof/bytes.ts'

/** One leaf of an account: its position and its share of the account's money. */
export interface StoredPart {
  readonly index: number
  readonly amount: bigint
}

const PART_BYTES = 16

export function packParts(parts: readonly StoredPart[]): Uint8Array {
  const packed = new Uint8Array(parts.length * PART_BYTES)
  for (const [at, { index, amount }] of parts.entries()) {
    putNumber(packed, at * PART_BYTES, index)
    putNumber(packed, at * PART_BYTES + 8, amount)
  }
  return packed
}

export function unpackParts(packed: Uint8Array): StoredPart[] {
  return Array.from({ length: packed.length / PART_BYTES }, (_, at) => ({
    index: Number(numberAt(packed, at * PART_BYTES)),
    amount: numberAt(packed, at * PART_BYTES + 8),
  }))
}
