import { asciiBytes, HASH_BYTES, joinBytes, MAX_NUMBER, numberAt, putNumber, type Sha256 } from '#core/proof/bytes.ts'
import { assert } from '#core/result.ts'

/**
 * A Merkle tree whose nodes also carry the sum of the amounts below, so that the root shows the total. A node is 40
 * bytes: its hash, then its sum. A parent hashes both children with both sums. If it hashed only their total, one of
 * the sums could secretly be negative.
 */
export const PLACE_BYTES = HASH_BYTES + 8
const PAIR_BYTES = 2 * PLACE_BYTES
const PREFIX = asciiBytes('fairwick liabilities node 1')

export function placeOf(hash: Uint8Array, sum: bigint): Uint8Array {
  assert(hash.length === HASH_BYTES, 'a hash has 32 bytes')
  assert(sum >= 0n && sum <= MAX_NUMBER, 'a sum is never negative')
  const place = new Uint8Array(PLACE_BYTES)
  place.set(hash)
  putNumber(place, HASH_BYTES, sum)
  return place
}

export function hashOf(place: Uint8Array): Uint8Array {
  return place.subarray(0, HASH_BYTES)
}

export function sumOf(place: Uint8Array): bigint {
  return numberAt(place, HASH_BYTES)
}

/** Reused buffer for the hashed content of a parent. */
const HASHED = joinBytes(PREFIX, new Uint8Array(PAIR_BYTES))

/** Computes the parent of two neighbouring nodes, passed as their 80 bytes. */
function parentOf(sha256: Sha256, pair: Uint8Array): Uint8Array {
  HASHED.set(pair, PREFIX.length)
  return placeOf(sha256(HASHED), numberAt(pair, HASH_BYTES) + numberAt(pair, PLACE_BYTES + HASH_BYTES))
}

/** Returns the number of nodes of a level. */
export function countPlaces(level: Uint8Array): number {
  return level.length / PLACE_BYTES
}

export function placeAt(level: Uint8Array, index: number): Uint8Array {
  return level.subarray(index * PLACE_BYTES, (index + 1) * PLACE_BYTES)
}

/** Computes the parents of a range of a level. Long levels are computed in chunks. */
export function fillParents(sha256: Sha256, level: Uint8Array, parents: Uint8Array, from: number, until: number): void {
  for (let at = from; at < until; at++) {
    parents.set(parentOf(sha256, level.subarray(at * PAIR_BYTES, (at + 1) * PAIR_BYTES)), at * PLACE_BYTES)
  }
}

/** Computes all levels above a level. The given level comes first, the root last. */
export function levelsAbove(sha256: Sha256, level: Uint8Array): Uint8Array[] {
  const levels = [level]
  for (let below = level; countPlaces(below) > 1; ) {
    const parents = new Uint8Array(below.length / 2)
    fillParents(sha256, below, parents, 0, countPlaces(parents))
    levels.push(parents)
    below = parents
  }
  return levels
}

/** Returns the siblings on the path from a node to the root, which anyone needs to recompute the root. */
export function siblingsOf(levels: readonly Uint8Array[], index: number): Uint8Array[] {
  return levels.slice(0, -1).map((level, height) => placeAt(level, (index >> height) ^ 1))
}

/** Computes the root from a node and its siblings. Throws when a sum is out of range. */
export function rootFromPath(
  sha256: Sha256,
  place: Uint8Array,
  index: number,
  siblings: readonly Uint8Array[],
): Uint8Array {
  return siblings.reduce((below, sibling, height) => {
    const isLeft = ((index >> height) & 1) === 0
    return parentOf(sha256, isLeft ? joinBytes(below, sibling) : joinBytes(sibling, below))
  }, place)
}
