import { afterAll, beforeAll, expect, it } from 'vitest'
import { ClockedDatabase } from './clocked-database.ts'
import { drawLimitPlan } from './limit-plan.ts'
import { playLimits } from './play-limits.ts'

let database: ClockedDatabase
beforeAll(async () => {
  database = await ClockedDatabase.open()
})
afterAll(() => database.close())

it.each([1, 2, 3])('try %i', { timeout: 600_000 }, async (seed) => {
  const at = performance.now()
  const outcome = await playLimits(database, drawLimitPlan(seed, 5))
  console.log(seed, outcome, performance.now() - at)
  expect(outcome.violations).toEqual([])
})
