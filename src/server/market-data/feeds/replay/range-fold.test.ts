import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRangeFold } from '#server/market-data/feeds/replay/range-fold.ts'

test('a range over any number of loops has the same fold as its rows, folded one by one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.nat(1_000)), { minLength: 1, maxLength: 1_500 }),
      fc.integer({ min: -4_000, max: 4_000 }),
      fc.integer({ min: 1, max: 4_000 }),
      (rows, from, length) => {
        const fold = createRangeFold({
          positions: new Float64Array(rows.length),
          prices: Float64Array.from(rows, ([price]) => price),
          volumes: Float64Array.from(rows, ([, volume]) => volume),
          loopMs: 1_000,
        })
        const stretch = Array.from({ length }, (_, at) => rows.at((from + at) % rows.length) ?? ([0, 0] as const))
        expect(fold(from, from + length)).toEqual({
          high: Math.max(...stretch.map(([price]) => price)),
          low: Math.min(...stretch.map(([price]) => price)),
          volume: stretch.reduce((sum, [, volume]) => sum + volume, 0),
        })
      },
    ),
    { numRuns: 200 },
  )
})
