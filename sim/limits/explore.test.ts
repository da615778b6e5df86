import { afterAll, beforeAll, it } from 'vitest'
import { LIMIT_MUTANTS } from '../mutants/limit-mutants.ts'
import { UNMODIFIED } from '../simulation/injection-points.ts'
import { ClockedDatabase } from './clocked-database.ts'
import { drawLimitPlan } from './limit-plan.ts'
import { playLimits } from './play-limits.ts'
let database: ClockedDatabase
beforeAll(async () => {
  database = await ClockedDatabase.open()
})
afterAll(() => database.close())
const names = (process.env['M'] ?? Object.keys(LIMIT_MUTANTS).join(',')).split(',')
const seeds = (process.env['S'] ?? '1').split(',').map(Number)
for (const name of names)
  for (const seed of seeds)
    it(name + seed, { timeout: 600_000 }, async () => {
      const at = performance.now()
      const outcome = await playLimits(database, drawLimitPlan(seed, Number(process.env['N'] ?? 3)), { ...UNMODIFIED, ...LIMIT_MUTANTS[name]?.parts() })
      console.log('RES', name, seed, JSON.stringify(outcome).slice(0, 260), Math.round(performance.now() - at))
    })
