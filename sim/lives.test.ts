import { expect, it } from 'vitest'
import { simulate } from './simulate.ts'
import { drawPlan } from './simulation/plan.ts'

/** A few runs in this process, because `npm run mutation` changes code only here. `simulate.test.ts` has the thousand. */
const LIVES = 12

it.each(Array.from({ length: LIVES }, (_, at) => at + 1))(
  'seed %i keeps its promises in this process',
  async (seed) => {
    const { violations, settled, last } = await simulate(drawPlan(seed, 1))
    expect(violations, last.join('\n')).toEqual([])
    expect(settled).toBeGreaterThan(0)
  },
)
