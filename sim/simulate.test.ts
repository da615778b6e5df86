import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '#testing/database.ts'
import { findMutant } from './mutants/find.ts'
import { MUTANTS } from './mutants/mutants.ts'
import { FINDS, FOUND } from './seeds.ts'
import { simulate } from './simulate.ts'
import { onDatabase } from './world/database-store.ts'
import { drawPlan } from './world/plan.ts'
import { playAll } from './workers.ts'

/** `npm run sim` plays more and longer; SIM_SEEDS and SIM_MINUTES do so here. */
const SEEDS = Number(process.env['SIM_SEEDS'] ?? 1_000)
const MINUTES = Number(process.env['SIM_MINUTES'] ?? 1)
/** Where the product draws otherwise than it did, other seeds find it. */
const OTHERS = Array.from({ length: 400 }, (_, at) => at + 1)
const PATIENCE_MS = 1_200_000

describe('the server, simulated', () => {
  it.each(FOUND)('seed $seed, which found that $what', async ({ seed, minutes }) => {
    const { violations, last } = await simulate(drawPlan(seed, minutes))
    expect(violations, last.join('\n')).toEqual([])
  })

  it(
    `keeps its promises in ${SEEDS} lives`,
    async () => {
      const found: string[] = []
      const jobs = Array.from({ length: SEEDS }, (_, at) => ({ seed: at + 1, minutes: MINUTES, twice: false }))
      await playAll(jobs, ({ seed, violations }) => {
        if (violations.length === 0) return
        found.push(`npm run sim -- --seed ${seed} --minutes ${MINUTES}: ${violations.join('; ')}`)
      })
      expect(found).toEqual([])
    },
    PATIENCE_MS,
  )

  it('goes the same way when it is played again', async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const plan = drawPlan(seed, MINUTES)
      expect((await simulate(plan)).hash).toBe((await simulate(plan)).hash)
    }
    expect((await simulate(drawPlan(1, 1))).hash).not.toBe((await simulate(drawPlan(2, 1))).hash)
  })

  it(
    'keeps its promises on the embedded database too',
    async () => {
      const database = await openTestDatabase()
      try {
        for (const seed of [1, 2]) {
          const { violations, last } = await simulate(drawPlan(seed, MINUTES / 2), { store: onDatabase(database) })
          expect(violations, last.join('\n')).toEqual([])
        }
      } finally {
        await database.close()
      }
    },
    PATIENCE_MS,
  )
})

describe('a planted bug is found', () => {
  it.each(FINDS)('$mutant, by seed $seed or another', async ({ mutant, seed, minutes }) => {
    const planted = MUTANTS[mutant]
    expect(planted).toBeDefined()
    expect(planted && (await findMutant(planted, [seed, ...OTHERS], minutes))).not.toBeNull()
  })

  it('each of them', () => {
    expect(FINDS.map(({ mutant }) => mutant).toSorted()).toEqual(Object.keys(MUTANTS).toSorted())
  })
})
