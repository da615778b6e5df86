import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instant } from '#core/time/instant.ts'
import { DueIndex } from '#server/engine/due-index.ts'

it('hands out every expiry once, soonest first, and none early', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 500 })), { maxLength: 200 }),
      fc.array(fc.integer({ min: 0, max: 600 }), { maxLength: 10 }),
      (keys, moments) => {
        const index = new DueIndex()
        for (const [symbolId, expiresAt] of keys) index.add({ symbolId, expiresAt: instant(expiresAt) })
        const wanted = new Set(keys.map(([symbolId, expiresAt]) => `${symbolId} ${expiresAt}`))
        expect(index.size).toBe(wanted.size)
        for (const until of [...moments.toSorted((a, b) => a - b), 1_000]) {
          for (const symbolId of index.symbols()) {
            const taken = index.takeBefore(symbolId, instant(until)).map((key) => key.expiresAt)
            expect(taken).toEqual(taken.toSorted((a, b) => a - b))
            for (const expiresAt of taken) {
              expect(expiresAt).toBeLessThan(until)
              expect(wanted.delete(`${symbolId} ${expiresAt}`)).toBe(true)
            }
          }
        }
        expect(wanted.size).toBe(0)
        expect(index.size).toBe(0)
      },
    ),
  )
})
