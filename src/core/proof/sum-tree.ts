import {
  asciiBytes,
  HASH_BYTES,
  joinBytes,
  LARGEST_NUMBER,
  numberAt,
  putNumber,
  type Sha256,
} from '#core/proof/bytes.ts'
import { assert } from '#core/result.ts'

/**
 * A tree of hashes in which each place also carries the sum of what is below it, so that its root says what everything
 * comes to. A place is 40 bytes: its hash, then its sum. A parent hashes both of its children with both of their sums;
 * hashing only what they come to together would let one of them be negative in secret.
 */
export const PLACE_BYTES = HASH_BYTES + 8
const PAIR_BYTES = 2 * PLACE_BYTES
const PREFIX = asciiBytes('fairwick liabilities node 1')

export function placeOf(hash: Uint8Array, sum: bigint): Uint8Array {
  assert(hash.length === HASH_BYTES, 'a hash has 32 bytes')
  assert(sum >= 0n && sum <= LARGEST_NUMBER, 'a sum is never negative')
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

/** What is hashed for a parent, made once. */
const HASHED = joinBytes(PREFIX, new Uint8Array(PAIR_BYTES))

/** The place above two that lie side by side, given as the 80 bytes that they are. */
function parentOf(sha256: Sha256, pair: Uint8Array): Uint8Array {
  HASHED.set(pair, PREFIX.length)
  return placeOf(sha256(HASHED), numberAt(pair, HASH_BYTES) + numberAt(pair, PLACE_BYTES + HASH_BYTES))
}

/** How many places a level has. */
export function countPlaces(level: Uint8Array): number {
  return level.length / PLACE_BYTES
}

export function placeAt(level: Uint8Array, index: number): Uint8Array {
  return level.subarray(index * PLACE_BYTES, (index + 1) * PLACE_BYTES)
}

/** Fills in the parents of a level from one index up to another: long levels are worked through piece by piece. */
export function fillParents(sha256: Sha256, level: Uint8Array, parents: Uint8Array, from: number, until: number): void {
  for (let at = from; at < until; at++) {
    parents.set(parentOf(sha256, level.subarray(at * PAIR_BYTES, (at + 1) * PAIR_BYTES)), at * PLACE_BYTES)
  }
}

/** Everything above a level, its top last; the level itself comes first. */
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

/** What stands beside the way from a place up to the top: with these anyone can walk it. */
export function siblingsOf(levels: readonly Uint8Array[], index: number): Uint8Array[] {
  return levels.slice(0, -1).map((level, height) => placeAt(level, (index >> height) ^ 1))
}

/** Where the way up from a place leads, with what stands beside it. Throws when a sum is out of range. */
export function climb(sha256: Sha256, place: Uint8Array, index: number, siblings: readonly Uint8Array[]): Uint8Array {
  return siblings.reduce((below, sibling, height) => {
    const isLeft = ((index >> height) & 1) === 0
    return parentOf(sha256, isLeft ? joinBytes(below, sibling) : joinBytes(sibling, below))
  }, place)
}
