import type { Block } from '#core/content/markup.ts'

/** A block of a text, and whether it is new compared with the earlier text. */
export interface ComparedBlock {
  readonly block: Block
  readonly isNew: boolean
}

/** Compares two texts block by block. Blocks outside the longest common subsequence of both texts count as new. */
export function compareBlocks(before: readonly Block[], after: readonly Block[]): ComparedBlock[] {
  const old = before.map((block) => JSON.stringify(block))
  const now = after.map((block) => JSON.stringify(block))
  // common[i][j]: the length of the longest common subsequence of the old blocks from i and the new blocks from j.
  const common = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const row = common[i]
      if (row) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  let i = 0
  return after.map((block, j) => {
    while (i < old.length && old[i] !== now[j] && at(i + 1, j) >= at(i, j + 1)) i += 1
    const isNew = i >= old.length || old[i] !== now[j]
    if (!isNew) i += 1
    return { block, isNew }
  })
}
