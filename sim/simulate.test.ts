import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbedded } from '#test/support/database.ts'
import { firstSeed, runs } from '#test/support/random-plans.ts'
import { findMutant } from './find-mutants.ts'
import { MUTANTS } from './mutants/mutants.ts'
import { FINDS, FOUND } from './seeds.ts'
import { simulate } from './simulate.ts'
import { onDatabase } from './simulation/database-store.ts'
import { drawPlan } from './simulation/plan.ts'
import { type PlayIn, startWorkers } from './workers.ts'

/** `npm run sim` runs more and longer simulations. */
const LIVES = runs(60)
const MINUTES = 1
/** Consecutive seeds, from 1 or from the seed drawn by `npm run fuzz`. */
const seedsOf = (count: number): number[] => Array.from({ length: count }, (_, at) => firstSeed(1) + at)
/**
 * Further seeds to try: after a change of the product or the simulation, another seed than the recorded one may find
 * the bug.
 */
const OTHERS = Array.from({ length: 400 }, (_, at) => at + 1)
const PATIENCE_MS = 1_200_000

let play: PlayIn
let stop: () => Promise<void>

beforeAll(async () => {
  ;({ play, stop } = await startWorkers())
})

afterAll(() => stop())

describe('the simulated server', () => {
  it.each(FOUND)('keeps its guarantees with seed $seed, which found that $what', async ({ seed, minutes, rule }) => {
    expect((await play({ seed, minutes, rule })).violations).toEqual([])
  })

  it(
    `keeps its promises in ${LIVES} lives`,
    async () => {
      const seeds = seedsOf(LIVES)
      const lives = await Promise.all(seeds.map((seed) => play({ seed, minutes: MINUTES })))
      const found = lives.filter(({ violations }) => violations.length > 0)
      const failures = found.map(
        ({ seed, violations }) => `npm run sim -- --seed ${seed} --minutes ${MINUTES}: ${violations.join('; ')}`,
      )
      expect(failures).toEqual([])
    },
    PATIENCE_MS,
  )

  it('runs the same way when a seed is repeated', async () => {
    const seeds = seedsOf(5)
    const lives = await Promise.all(seeds.map((seed) => play({ seed, minutes: MINUTES, twice: true })))
    expect(lives.flatMap(({ violations }) => violations)).toEqual([])
    expect(new Set(lives.map(({ hash }) => hash)).size).toBe(seeds.length)
  })

  it(
    'keeps its guarantees on the embedded database too',
    async () => {
      const database = await openEmbedded()
      try {
        for (const seed of seedsOf(2)) {
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

describe.concurrent('a planted bug', () => {
  it.each(FINDS)(
    '$mutant is found with seed $seed or with another seed',
    async ({ mutant, seed, minutes }) => {
      expect(await findMutant(play, mutant, { seeds: [seed, ...OTHERS], minutes })).not.toBeNull()
    },
    PATIENCE_MS,
  )

  it('the list of seeds contains a seed for every known bug', () => {
    expect(FINDS.map(({ mutant }) => mutant).toSorted()).toEqual(Object.keys(MUTANTS).toSorted())
  })
})
