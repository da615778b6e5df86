import { joinBytes, type Sha256 } from '#core/proof/bytes.ts'

const LEAF = Uint8Array.of(0)
const NODE = Uint8Array.of(1)

/** One step of a path up a tree: the sibling's hash and its side. */
export interface Step {
  readonly side: 'left' | 'right'
  readonly hash: Uint8Array
}

export function leafHash(sha256: Sha256, content: Uint8Array): Uint8Array {
  return sha256(joinBytes(LEAF, content))
}

/** The hash of an inner node of a tree (RFC 6962, section 2.1). */
export function nodeHash(sha256: Sha256, left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256(joinBytes(NODE, left, right))
}

/**
 * Builds the tree over leaf hashes as in RFC 6962, section 2.1. Returns its levels from the leaves to the root. A node
 * without a sibling moves up unchanged, which gives the same tree.
 */
export function hashTree(sha256: Sha256, leaves: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  if (leaves.length === 0) throw new Error('a tree has at least one leaf')
  const levels: (readonly Uint8Array[])[] = [leaves]
  for (let below = leaves; below.length > 1; ) {
    const above: Uint8Array[] = []
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]]
      if (left !== undefined) above.push(right === undefined ? left : nodeHash(sha256, left, right))
    }
    levels.push(above)
    below = above
  }
  return levels
}

export function rootOf(levels: readonly (readonly Uint8Array[])[]): Uint8Array {
  const root = levels.at(-1)?.[0]
  if (root === undefined) throw new Error('a tree has a root')
  return root
}

/** Returns the path from a leaf to the root. */
export function pathOf(levels: readonly (readonly Uint8Array[])[], leaf: number): Step[] {
  const path: Step[] = []
  let at = leaf
  for (const level of levels.slice(0, -1)) {
    const isRight = at % 2 === 1
    const hash = level[isRight ? at - 1 : at + 1]
    if (hash !== undefined) path.push({ side: isRight ? 'left' : 'right', hash })
    at = Math.floor(at / 2)
  }
  return path
}

/** Whether a path fits some leaf in a tree of `count` leaves (RFC 6962, section 2.1). */
export function isPathIn(count: number, path: readonly Pick<Step, 'side'>[]): boolean {
  let leaves = count
  for (const { side } of path.toReversed()) {
    if (leaves < 2) return false
    // The left subtree has the largest power of two of leaves that is smaller than the whole.
    let left = 1
    while (2 * left < leaves) left *= 2
    leaves = side === 'right' ? left : leaves - left
  }
  return leaves === 1
}

/** Computes the hash at the end of a path: the root, if leaf and path belong to its tree. */
export function rootFromPath(sha256: Sha256, leaf: Uint8Array, path: readonly Step[]): Uint8Array {
  return path.reduce(
    (below, { side, hash }) => (side === 'left' ? nodeHash(sha256, hash, below) : nodeHash(sha256, below, hash)),
    leaf,
  )
}
