import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareBlocks } from '#core/content/changed-blocks.ts'
import { parseMarkup } from '#core/content/markup.ts'

function newIn(before: string, after: string): string[] {
  return compareBlocks(parseMarkup(before), parseMarkup(after)).flatMap(({ block, isNew }) =>
    isNew && block.kind !== 'list' ? block.inlines.map(({ text }) => text).join('') : [],
  )
}

it.each([
  ['A\n\nB', 'A\n\nB', []],
  ['A\n\nB', 'A\n\nX\n\nB', ['X']],
  ['A\n\nB\n\nC', 'A\n\nC', []],
  ['A\n\nB', 'B\n\nA', ['A']],
  ['', 'A', ['A']],
  ['A\n\nB\n\nC', 'A\n\nB2\n\nC', ['B2']],
])('from "%s" to "%s" the new blocks are %o', (before, after, expected) => {
  expect(newIn(before, after)).toEqual(expected)
})

const text = fc.array(fc.constantFrom('A', 'B', 'C', 'D'), { maxLength: 8 }).map((words) => words.join('\n\n'))

it('compareBlocks marks no block as new when the texts are equal, and every block when the texts have none in common', () => {
  fc.assert(
    fc.property(text, (same) => {
      const blocks = parseMarkup(same)
      expect(newIn(same, same)).toEqual([])
      expect(newIn('X', same)).toHaveLength(blocks.length)
    }),
  )
})

it('compareBlocks marks as few blocks as new as possible: the other blocks are a subsequence of both texts', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const unmarked = compareBlocks(parseMarkup(before), parseMarkup(after)).filter(({ isNew }) => !isNew)
      const old = parseMarkup(before).map((block) => JSON.stringify(block))
      let from = 0
      for (const { block } of unmarked) {
        const place = old.indexOf(JSON.stringify(block), from)
        expect(place).toBeGreaterThanOrEqual(from)
        from = place + 1
      }
      expect(unmarked).toHaveLength(lengthOfCommon(before.split('\n\n'), after.split('\n\n')))
    }),
  )
})

function lengthOfCommon(one: readonly string[], other: readonly string[]): number {
  const [a, ...restOfOne] = one.filter((word) => word !== '')
  const [b, ...restOfOther] = other.filter((word) => word !== '')
  if (a === undefined || b === undefined) return 0
  if (a === b) return 1 + lengthOfCommon(restOfOne, restOfOther)
  return Math.max(lengthOfCommon(restOfOne, [b, ...restOfOther]), lengthOfCommon([a, ...restOfOne], restOfOther))
}
