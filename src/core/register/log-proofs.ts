import { HASH_BYTES, sameBytes, type Sha256 } from '#core/proof/bytes.ts'
import { nodeHash, rootFromPath, type Step } from '#core/proof/hash-tree.ts'

/** A full tile has 256 hashes: the leaves of a subtree with the height 8. */
export const TILE_WIDTH = 256
const TILE_HEIGHT = 8

/**
 * Reads the first `width` hashes of a tile (C2SP tlog-tiles). Level 0 has the leaves; a hash of level n + 1 covers a
 * full tile of level n.
 */
export type ReadTile = (level: number, index: number, width: number) => Promise<Uint8Array>

/** The tree over the first `size` entries of a log. */
export interface LogTree {
  readonly sha256: Sha256
  readonly size: number
  readonly readTile: ReadTile
}

/** Computes the root from the tiles. The root of an empty tree is the hash of nothing. */
export function rootOfLog(tree: LogTree): Promise<Uint8Array> {
  return tree.size === 0 ? Promise.resolve(tree.sha256(new Uint8Array())) : rangeHash(tree, 0, tree.size)
}

/** Builds the path of an entry: hashes from the leaf's sibling upwards (RFC 6962, section 2.1.1). */
export function inclusionPath(tree: LogTree, index: number): Promise<Uint8Array[]> {
  if (index < 0 || index >= tree.size) throw new RangeError('the tree has no such entry')
  return pathInRange(tree, index, 0, tree.size)
}

async function pathInRange(tree: LogTree, index: number, from: number, to: number): Promise<Uint8Array[]> {
  if (to - from === 1) return []
  const middle = from + leftSize(to - from)
  return index < middle
    ? [...(await pathInRange(tree, index, from, middle)), await rangeHash(tree, middle, to)]
    : [...(await pathInRange(tree, index, middle, to)), await rangeHash(tree, from, middle)]
}

/** Builds the proof that the first `oldSize` entries are the beginning of this tree (RFC 6962, section 2.1.2). */
export async function consistencyProof(tree: LogTree, oldSize: number): Promise<Uint8Array[]> {
  if (oldSize < 0 || oldSize > tree.size) throw new RangeError('the tree is smaller than that')
  if (oldSize === 0 || oldSize === tree.size) return []
  return await subproof(tree, oldSize, 0, tree.size, true)
}

async function subproof(
  tree: LogTree,
  oldSize: number,
  from: number,
  to: number,
  isOldRoot: boolean,
): Promise<Uint8Array[]> {
  if (from + oldSize === to) return isOldRoot ? [] : [await rangeHash(tree, from, to)]
  const left = leftSize(to - from)
  const middle = from + left
  return oldSize <= left
    ? [...(await subproof(tree, oldSize, from, middle, isOldRoot)), await rangeHash(tree, middle, to)]
    : [...(await subproof(tree, oldSize - left, middle, to, false)), await rangeHash(tree, from, middle)]
}

/** The hash over entries `from` to `to`. `from` is always a multiple of a power of two that covers them. */
async function rangeHash(tree: LogTree, from: number, to: number): Promise<Uint8Array> {
  const count = to - from
  const height = Math.log2(count)
  if (Number.isInteger(height)) return await nodeAt(tree, height, from / count)
  const middle = from + leftSize(count)
  return nodeHash(tree.sha256, await rangeHash(tree, from, middle), await rangeHash(tree, middle, to))
}

/** The hash of a complete subtree of 2^height entries. */
async function nodeAt({ sha256, size, readTile }: LogTree, height: number, index: number): Promise<Uint8Array> {
  const level = Math.floor(height / TILE_HEIGHT)
  const count = 2 ** (height % TILE_HEIGHT)
  const first = index * count
  const tile = Math.floor(first / TILE_WIDTH)
  const hashesOfLevel = Math.floor(size / TILE_WIDTH ** level)
  const bytes = await readTile(level, tile, Math.min(TILE_WIDTH, hashesOfLevel - tile * TILE_WIDTH))
  const start = (first % TILE_WIDTH) * HASH_BYTES
  return hashUp(sha256, bytes.subarray(start, start + count * HASH_BYTES))
}

/** Hashes a complete subtree whose lowest hashes are given. Their number is a power of two. */
export function hashUp(sha256: Sha256, hashes: Uint8Array): Uint8Array {
  if (hashes.length === HASH_BYTES) return hashes
  const half = hashes.length / 2
  return nodeHash(sha256, hashUp(sha256, hashes.subarray(0, half)), hashUp(sha256, hashes.subarray(half)))
}

/** The largest power of two below `count`. */
function leftSize(count: number): number {
  let left = 1
  while (2 * left < count) left *= 2
  return left
}

/** Computes the root from an entry's leaf hash and path. Null when the path does not fit index and size. */
export function rootFromInclusion(
  sha256: Sha256,
  { index, size, leaf }: { readonly index: number; readonly size: number; readonly leaf: Uint8Array },
  hashes: readonly Uint8Array[],
): Uint8Array | null {
  const sides = sidesOf(index, size)
  if (sides?.length !== hashes.length) return null
  return rootFromPath(
    sha256,
    leaf,
    sides.map((side, at) => ({ side, hash: hashes[at] ?? leaf })),
  )
}

/** On which side each sibling of a path stands (RFC 9162, section 2.1.3.2). Null when the tree has no such entry. */
function sidesOf(index: number, size: number): Step['side'][] | null {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return null
  const sides: Step['side'][] = []
  let [at, last] = [index, size - 1]
  while (last > 0) {
    const isRight = at % 2 === 1
    // The last node of a level without a sibling moves up unchanged.
    if (isRight) sides.push('left')
    else if (at < last) sides.push('right')
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return sides
}

/** A root of the log with its number of entries. */
export interface LogRoot {
  readonly size: number
  readonly root: Uint8Array
}

/** Whether a proof shows that the older tree is the beginning of the newer one (RFC 9162, section 2.1.4.2). */
export function isConsistent(sha256: Sha256, older: LogRoot, newer: LogRoot, proof: readonly Uint8Array[]): boolean {
  if (older.size > newer.size || older.size < 0) return false
  if (older.size === newer.size) return proof.length === 0 && sameBytes(older.root, newer.root)
  if (older.size === 0) return proof.length === 0 && sameBytes(older.root, sha256(new Uint8Array()))
  let [at, last] = [older.size - 1, newer.size - 1]
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  // If the old tree is complete, its root is a node of the newer tree, and the proof does not repeat it.
  const hashes = at === 0 ? [older.root, ...proof] : proof
  let [oldRoot, newRoot] = [hashes[0], hashes[0]]
  if (oldRoot === undefined || newRoot === undefined) return false
  for (const hash of hashes.slice(1)) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      oldRoot = nodeHash(sha256, hash, oldRoot)
      newRoot = nodeHash(sha256, hash, newRoot)
      while (at % 2 === 0 && at > 0) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
    } else newRoot = nodeHash(sha256, newRoot, hash)
    ;[at, last] = [Math.floor(at / 2), Math.floor(last / 2)]
  }
  return last === 0 && sameBytes(oldRoot, older.root) && sameBytes(newRoot, newer.root)
}
