import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fromBase64Url, type Sha256, toBase64Url } from '#core/proof/bytes.ts'
import { hashTree, isPathIn, pathOf } from '#core/proof/hash-tree.ts'

const sha256: Sha256 = (bytes) => new Uint8Array(createHash('sha256').update(bytes).digest())
const MAX_LEAVES = 40

/** Returns, for each leaf of a tree with `count` leaves, the sides of the siblings on its path. */
function pathsOf(count: number): string[] {
  const tree = hashTree(
    sha256,
    Array.from({ length: count }, (_, leaf) => Uint8Array.of(leaf)),
  )
  return Array.from({ length: count }, (_, leaf) => sidesOf(pathOf(tree, leaf)))
}

function sidesOf(path: readonly { readonly side: string }[]): string {
  return path.map(({ side }) => side).join(' ')
}

describe('isPathIn', () => {
  it('P11: isPathIn accepts a path only for a leaf of a tree of the given size', () => {
    const byCount = Array.from({ length: MAX_LEAVES }, (_, at) => new Set(pathsOf(at + 1)))
    const all = new Set(byCount.flatMap((paths) => [...paths]))
    for (const sides of all) {
      const path = sides.split(' ').flatMap((side) => (side === 'left' || side === 'right' ? [{ side } as const] : []))
      const fitting = byCount.map((_, at) => isPathIn(at + 1, path))
      expect(fitting, sides).toEqual(byCount.map((paths) => paths.has(sides)))
    }
  })

  it.each([0, -1, 2 ** 31, 2 ** 53 - 1])('P11: isPathIn accepts no path of two steps for size %d', (count) => {
    expect(isPathIn(count, [{ side: 'left' }, { side: 'right' }])).toBe(false)
  })
})

describe('base64url', () => {
  it('encodes bytes as Node.js does, and decodes only the form that Node.js writes', () => {
    for (let length = 0; length < 50; length += 1) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length * 101) % 256)
      const text = toBase64Url(bytes)
      expect(text).toBe(Buffer.from(bytes).toString('base64url'))
      expect(fromBase64Url(text)).toEqual(bytes)
    }
    for (const text of ['A', 'AB', 'AA=', 'A+', 'é', 'AAAAA']) expect(fromBase64Url(text), text).toBeNull()
  })
})
