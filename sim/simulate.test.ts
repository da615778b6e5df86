import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestDatabase } from '#testing/database.ts'
import { findMutant } from './mutants/find.ts'
import { MUTANTS } from './mutants/mutants.ts'
import { FINDS, FOUND } from './seeds.ts'
import { simulate } from './simulate.ts'
import { onDatabase } from './world/database-store.ts'
import { drawPlan } from './world/plan.ts'
import { type PlayIn, withWorkers } from './workers.ts'

/** `npm run sim` plays more and longer; SIM_SEEDS and SIM_MINUTES do so here. */
const SEEDS = Number(process.env['SIM_SEEDS'] ?? 1_000)
const MINUTES = Number(process.env['SIM_MINUTES'] ?? 1)
/** Where the product draws otherwise than it did, other seeds find it. */
const OTHERS = Array.from({ length: 400 }, (_, at) => at + 1)
const PATIENCE_MS = 1_200_000

let play: PlayIn
let stop: () => void

beforeAll(async () => {
  await new Promise<void>((ready, fail) => {
    withWorkers((playIn) => {
      play = playIn
      ready()
      return new Promise<void>((resolve) => {
        stop = resolve
      })
    }).catch(fail)
  })
}, PATIENCE_MS)

afterAll(() => stop())

describe('the server, simulated', () => {
  it.each(FOUND)('seed $seed, which found that $what', async ({ seed, minutes }) => {
    expect((await play({ seed, minutes })).violations).toEqual([])
  })

  it(
    `keeps its promises in ${SEEDS} lives`,
    async () => {
      const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1)
      const lives = await Promise.all(seeds.map((seed) => play({ seed, minutes: MINUTES })))
      const found = lives.filter(({ violations }) => violations.length > 0)
      const told = found.map(
        ({ seed, violations }) => `npm run sim -- --seed ${seed} --minutes ${MINUTES}: ${violations.join('; ')}`,
      )
      expect(told).toEqual([])
    },
    PATIENCE_MS,
  )

  it('goes the same way when it is played again', async () => {
    const seeds = Array.from({ length: 10 }, (_, at) => at + 1)
    const lives = await Promise.all(seeds.map((seed) => play({ seed, minutes: MINUTES, twice: true })))
    expect(lives.flatMap(({ violations }) => violations)).toEqual([])
    expect(new Set(lives.map(({ hash }) => hash)).size).toBe(seeds.length)
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
  it.each(FINDS)(
    '$mutant, by seed $seed or another',
    async ({ mutant, seed, minutes }) => {
      expect(await findMutant(play, mutant, { seeds: [seed, ...OTHERS], minutes })).not.toBeNull()
    },
    PATIENCE_MS,
  )

  it('each of them', () => {
    expect(FINDS.map(({ mutant }) => mutant).toSorted()).toEqual(Object.keys(MUTANTS).toSorted())
  })
})
