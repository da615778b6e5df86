import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstSeed, runs } from '#test/support/random-plans.ts'
import { LIMIT_MUTANTS } from '../mutants/limit-mutants.ts'
import { LIMIT_FINDS } from '../seeds.ts'
import { ClockedDatabase } from './clocked-database.ts'
import { findLimitMutant } from '../find-limit-mutant.ts'
import { drawLimitPlan } from './limit-plan.ts'
import { playLimits } from './play-limits.ts'

/** `npm run sim -- --limits 100` runs more and longer simulations. */
const LIVES = runs(1)
const SESSIONS = 3
/**
 * Further seeds to try: after a change of the product or the simulation, another seed than the recorded one may find
 * the bug.
 */
const OTHERS = Array.from({ length: 40 }, (_, at) => at + 1)
const PATIENCE_MS = 600_000

let database: ClockedDatabase
beforeAll(async () => {
  database = await ClockedDatabase.open()
})
afterAll(() => database.close())

describe('users who limit themselves in the simulation', () => {
  it(
    'US1.3: trade within their limits and outside of their breaks, and get each notice once',
    async () => {
      for (let seed = firstSeed(1); seed < firstSeed(1) + LIVES; seed += 1) {
        const { violations, accepted, refused } = await playLimits(database, drawLimitPlan(seed, SESSIONS))
        expect(violations, `npm run sim -- --limits 1 --from ${seed} --sessions ${SESSIONS}`).toEqual([])
        expect(accepted).toBeGreaterThan(0)
        expect(refused).toBeGreaterThan(0)
      }
    },
    PATIENCE_MS,
  )
})

describe('a planted bug of limits, breaks, alerts or notices', () => {
  it.each(LIMIT_FINDS)(
    '$mutant is found with seed $seed or with another seed',
    async ({ mutant, seed, sessions }) => {
      expect(await findLimitMutant(database, mutant, { seeds: [seed, ...OTHERS], sessions })).not.toBeNull()
    },
    PATIENCE_MS,
  )

  it('the list of seeds contains a seed for every known bug of limits', () => {
    expect(LIMIT_FINDS.map(({ mutant }) => mutant).toSorted()).toEqual(Object.keys(LIMIT_MUTANTS).toSorted())
  })
})
