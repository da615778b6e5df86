import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstSeed, runs } from '#test/support/random-plans.ts'
import { type PlayIn, startWorkers } from '../workers.ts'

/** `npm run sim -- --sales 100` runs more and longer simulations. */
const LIVES = runs(2)
const MINUTES = 2
const INFORMED_MINUTES = 8
/**
 * The duration with the planted bug. At the newest price, the gain of a seller is many times its standard error, so
 * fewer sales show the bug.
 */
const PLANTED_MINUTES = 3
const FEE = 0.04

let play: PlayIn
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ play, stop } = await startWorkers())
})
afterAll(() => stop())

describe.concurrent('users who sell orders back in the simulation', () => {
  it(`A220: sell at the price of the rules, once each, in ${LIVES} lives with kills and two deciding servers`, async () => {
    const seeds = Array.from({ length: LIVES }, (_, at) => firstSeed(1) + at)
    const lives = await Promise.all(seeds.map((seed) => play({ seed, minutes: MINUTES, isOfSales: true })))
    const failures = lives.flatMap(({ seed, violations }) =>
      violations.map((one) => `npm run sim -- --sales 1 --from ${seed} --minutes ${MINUTES}: ${one}`),
    )
    expect(failures).toEqual([])
    for (const { seed, compared: sold, settled } of lives) {
      expect(sold, `orders sold with seed ${seed}`).toBeGreaterThan(0)
      expect(settled, `orders with seed ${seed}`).toBeGreaterThan(sold)
    }
  })

  it.each([200, 500, 1_000])(
    'A221: gain less than the fee when they see the market %i ms before our sources report it',
    async (leadMs) => {
      const gain = await play({ seed: 1, minutes: INFORMED_MINUTES, leadMs })
      expect(gain.orders).toBeGreaterThan(20)
      expect(gain.mean + 2 * gain.error).toBeLessThan(FEE)
    },
  )

  it('A222: would gain more than the fee if sales were carried out at the newest price', async () => {
    const gain = await play({ seed: 1, minutes: PLANTED_MINUTES, leadMs: 1_000, isAtNewestPrice: true })
    expect(gain.orders).toBeGreaterThan(20)
    expect(gain.mean - 2 * gain.error).toBeGreaterThan(FEE)
  })
})
