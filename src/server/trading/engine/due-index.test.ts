import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Instant, instant } from '#core/time/instant.ts'
import { DueIndex } from '#server/trading/engine/due-index.ts'

/**
 * The step between the expiries of the test, in ms. With it, some expiries share a slot of the wheel, and others are
 * one turn of the wheel apart.
 */
const STEP_MS = 1_000_003

it('returns every expiry once, soonest first, and none early', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(
          fc.integer({ min: 1, max: 3 }),
          fc.integer({ min: 0, max: 500 }).map((place) => place * STEP_MS),
        ),
        { maxLength: 200 },
      ),
      fc.array(fc.integer({ min: 0, max: 600 * STEP_MS }), { maxLength: 10 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 20 }),
      (keys, moments, isTidied, limit) => {
        const index = new DueIndex()
        for (const [symbolId, expiresAt] of keys) index.add({ symbolId, expiresAt: instant(expiresAt) })
        const wanted = new Set(keys.map(([symbolId, expiresAt]) => `${symbolId} ${expiresAt}`))
        expect(index.size).toBeGreaterThanOrEqual(wanted.size)
        if (isTidied) {
          index.forgetRepeats()
          expect(index.size).toBe(wanted.size)
        }
        for (const until of [...moments.toSorted((a, b) => a - b), 1_000 * STEP_MS]) {
          for (const series of index.series()) {
            const expiries: Instant[] = []
            for (;;) {
              const more = index.takeBefore(series, instant(until), limit)
              expect(more.length).toBeLessThanOrEqual(limit)
              expiries.push(...more.map((key) => key.expiresAt))
              if (more.length < limit) break
            }
            expect(expiries).toEqual(expiries.toSorted((a, b) => a - b))
            for (const expiresAt of expiries) {
              expect(expiresAt).toBeLessThan(until)
              expect(wanted.delete(`${series.symbolId} ${expiresAt}`)).toBe(true)
            }
          }
        }
        expect(wanted.size).toBe(0)
        expect(index.size).toBe(0)
      },
    ),
  )
})

it('returns expiries that are up to 400 hours ahead, each within half an hour after its time', () => {
  const index = new DueIndex()
  const hour = 3_600_000
  const at = [1, 5, 71, 72.9, 73, 74.6, 80, 149.2, 400].map((hours) => instant(Math.round(hours * hour)))
  for (const expiresAt of at.toReversed()) for (const symbolId of [7, 8]) index.add({ symbolId, expiresAt })
  expect(index.series()).toEqual([{ symbolId: 7 }, { symbolId: 8 }])
  const expiries: number[] = []
  for (let now = 0; now <= 401; now += 0.5) {
    for (const { expiresAt } of index.takeBefore({ symbolId: 7 }, instant(now * hour))) {
      expect(now * hour - expiresAt).toBeGreaterThan(0)
      expect(now * hour - expiresAt).toBeLessThanOrEqual(hour / 2)
      expiries.push(expiresAt)
    }
  }
  expect(expiries).toEqual(at)
  expect(index.size).toBe(at.length)
  expect(index.takeBefore({ symbolId: 8 }, instant(500 * hour)).map(({ expiresAt }) => expiresAt)).toEqual(at)
  expect(index.size).toBe(0)
})
