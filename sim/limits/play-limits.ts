import { UNMODIFIED, type Parts } from '../simulation/injection-points.ts'
import type { ClockedDatabase } from './clocked-database.ts'
import { LimitLife, type LimitOutcome } from './limit-life.ts'
import type { LimitPlan } from './limit-plan.ts'

/** Runs a simulation with users who limit themselves, on an opened database that is emptied first. */
export async function playLimits(
  database: ClockedDatabase,
  plan: LimitPlan,
  parts: Parts = UNMODIFIED,
): Promise<LimitOutcome> {
  const putBack = parts.patch()
  try {
    return await new LimitLife(plan, parts, database).play()
  } finally {
    putBack()
    await database.end()
  }
}
