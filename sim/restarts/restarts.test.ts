import { describe, expect, it } from 'vitest'
import { firstSeed } from '#test/support/random-plans.ts'
import { playRestarts } from './play-restarts.ts'
import { drawRestartPlan, FEED_KINDS } from './restart-plan.ts'

/** `npm run sim -- --restarts 1000` runs more plans. */
const PLANS_OF_EACH = 4

/**
 * The seed of a plan determines its feed. The first seed is a multiple of the number of kinds, so that plans of each
 * kind follow in their order.
 */
const FIRST_PLAN = firstSeed(1_000) - (firstSeed(1_000) % FEED_KINDS.length)

/** Plans that found a fault, with a description. */
const FOUND: readonly { readonly seed: number; readonly what: string }[] = [
  { seed: 7, what: 'the first price of a source that sends its last ones again was in no candle' },
  { seed: 5, what: 'a bar stayed partial that was loaded by a clock before its end' },
  { seed: 12, what: 'a bar of the history was shown twice after the clock was set back' },
  { seed: 14, what: 'a bar that ended seconds before the start stayed partial' },
  { seed: 33, what: 'the volume of the day had a partial bar instead of the known one' },
  { seed: 182, what: 'a bar stayed partial when the server that had asked for it was killed' },
  { seed: 270, what: 'a bar that a source ahead of the clock had closed was shown as running too' },
  { seed: 710, what: 'a bar that ended just before a start stayed partial when the server before it was killed' },
  { seed: 807, what: 'a bar was closed again, alike, by a server that started on a clock put back' },
  { seed: 2259, what: 'bars before a long pause were lost by a server that was killed a second after its start' },
  { seed: 111, what: 'a stored candle missed a price that was sent again after a restart' },
]

describe('candles of a server that starts and stops at any moment', () => {
  for (const [at, feed] of FEED_KINDS.entries()) {
    it(`P9, P10: equal the candles computed from the tick log, on ${feed} in ${PLANS_OF_EACH} plans`, async () => {
      let compared = 0
      for (let round = 0; round < PLANS_OF_EACH; round += 1) {
        const plan = drawRestartPlan(FIRST_PLAN + round * FEED_KINDS.length + at)
        expect(plan.feed).toBe(feed)
        const outcome = await playRestarts(plan)
        expect(outcome.differences, `npm run sim -- --restarts 1 --from ${plan.seed}`).toEqual([])
        compared += outcome.compared
      }
      expect(compared).toBeGreaterThan(100)
    })
  }

  it.each(FOUND)('P9, P10: plan $seed, which found that $what', async ({ seed }) => {
    expect((await playRestarts(drawRestartPlan(seed))).differences).toEqual([])
  })
})
