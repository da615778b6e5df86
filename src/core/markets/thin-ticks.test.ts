import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { thinTicks } from '#core/markets/thin-ticks.ts'
import { instant } from '#core/time/instant.ts'

const tick = (time: number, price: number) => ({ time: instant(time), price })

describe('P16: thinTicks', () => {
  it('P16: thinTicks keeps the first, lowest, highest and last tick of each step, in their order', () => {
    const ticks = [tick(0, 5), tick(10, 9), tick(20, 1), tick(30, 4), tick(99, 6), tick(100, 7), tick(250, 8)]
    expect(thinTicks(ticks, 100).map(({ time }) => time)).toEqual([0, 10, 20, 99, 100, 250])
  })

  it('P16: thinTicks adds no tick, and loses no lowest and no highest price of a step', () => {
    const plan = fc.array(fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 9 })), { maxLength: 200 })
    fc.assert(
      fc.property(plan, fc.integer({ min: 1, max: 300 }), (steps, stepMs) => {
        let time = 0
        const ticks = steps.map(([wait, price]) => tick((time += wait), price))
        const result = thinTicks(ticks, stepMs)
        expect(result).toEqual(ticks.filter((one) => result.includes(one)))
        for (const step of new Set(ticks.map((one) => Math.floor(one.time / stepMs)))) {
          const of = ticks.filter((one) => Math.floor(one.time / stepMs) === step)
          const those = of.filter((one) => result.includes(one))
          const prices = (all: typeof of) => all.map(({ price }) => price)
          expect(those.length).toBeLessThanOrEqual(4)
          expect(Math.min(...prices(those))).toBe(Math.min(...prices(of)))
          expect(Math.max(...prices(those))).toBe(Math.max(...prices(of)))
          expect([those[0], those.at(-1)]).toEqual([of[0], of.at(-1)])
        }
      }),
      { numRuns: 200 },
    )
  })
})
