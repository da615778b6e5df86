import { expect, it } from 'vitest'
import { simulate } from './simulate.ts'
import { drawPlan } from './simulation/plan.ts'

/**
 * A few runs in this process, because `npm run mutation` changes code only here. `simulate.test.ts` has many more runs.
 */
const LIVES = 12
/** In a few runs the sources lose so many trades that no order is accepted. */
const MIN_SETTLED = 100
const PATIENCE_MS = 300_000

it(`${LIVES} runs keep their promises in this process`, { timeout: PATIENCE_MS }, async () => {
  let settledCount = 0
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const { violations, settled, last } = await simulate(drawPlan(seed, 1))
    expect(violations, `seed ${seed}\n${last.join('\n')}`).toEqual([])
    settledCount += settled
  }
  expect(settledCount).toBeGreaterThan(MIN_SETTLED)
})
