import { describe, expect, it } from 'vitest'
import { simulate } from './simulate.ts'
import { drawCappedPlan } from './simulation/plan.ts'

const LIVES = 20
const PATIENCE_MS = 600_000

describe('the simulated server with caps', () => {
  it(`OD7.6: holds its caps in ${LIVES} lives, with kills and restarts, and refuses no order that fits`, {
    timeout: PATIENCE_MS,
  }, async () => {
    let refusals = 0
    for (let seed = 1; seed <= LIVES; seed += 1) {
      const { violations, last } = await simulate(drawCappedPlan(seed, 1), {
        print: (line) => {
          if (line.includes('exposure_full')) refusals += 1
        },
      })
      expect(violations, `seed ${seed}\n${last.join('\n')}`).toEqual([])
    }
    expect(refusals).toBeGreaterThan(LIVES)
  })
})
