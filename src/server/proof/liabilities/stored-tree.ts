import { type Sha256 } from '#core/proof/bytes.ts'
import { countPlaces, levelsAbove, PLACE_BYTES, siblingsOf } from '#core/proof/sum-tree.ts'
import type { StoredPlaces } from '#server/proof/liabilities/liabilities.queries.ts'

/**
 * Every eighth level of the tree is stored, in chunks. The nodes of one chunk lie below one node of the next stored
 * level.
 */
export const STORED_LEVEL_STEP = 8
const PIECE = 2 ** STORED_LEVEL_STEP

/** Splits a stored level into its chunks. */
export function* piecesOf(level: number, places: Uint8Array): Generator<StoredPlaces> {
  for (let chunk = 0; chunk * PIECE < countPlaces(places); chunk++) {
    const from = chunk * PIECE * PLACE_BYTES
    yield { level, chunk, places: places.subarray(from, from + PIECE * PLACE_BYTES) }
  }
}

/** Lists the chunks that the path from a leaf to the root needs. */
export function piecesOnTheWay(leaves: number, index: number): { level: number; chunk: number }[] {
  const wanted: { level: number; chunk: number }[] = []
  for (let level = 0; level === 0 || 2 ** level < leaves; level += STORED_LEVEL_STEP) {
    wanted.push({ level, chunk: index >> (level + STORED_LEVEL_STEP) })
  }
  return wanted
}

/** Finds the siblings along the path from a leaf to the root. Null when a chunk is missing. */
export function siblingsIn(
  sha256: Sha256,
  pieces: readonly StoredPlaces[],
  { leaves, index }: { leaves: number; index: number },
): Uint8Array[] | null {
  const siblings: Uint8Array[] = []
  for (const { level, chunk } of piecesOnTheWay(leaves, index)) {
    const piece = pieces.find((one) => one.level === level && one.chunk === chunk)
    if (piece === undefined) return null
    siblings.push(...siblingsOf(levelsAbove(sha256, piece.places), (index >> level) % PIECE))
  }
  return siblings
}
