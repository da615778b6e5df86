import { findSeed, type Found } from './find-mutants.ts'
import { LIMIT_MUTANTS } from './mutants/limit-mutants.ts'
import { UNMODIFIED } from './simulation/injection-points.ts'
import type { ClockedDatabase } from './limits/clocked-database.ts'
import { drawLimitPlan } from './limits/limit-plan.ts'
import { playLimits } from './limits/play-limits.ts'

/** Tries seeds until one finds the planted bug; null when none does. */
export async function findLimitMutant(
  database: ClockedDatabase,
  name: string,
  { seeds, sessions }: { readonly seeds: Iterable<number>; readonly sessions: number },
): Promise<Found | null> {
  return await findSeed(seeds, (seed) => {
    const parts = { ...UNMODIFIED, ...LIMIT_MUTANTS[name]?.parts() }
    return playLimits(database, drawLimitPlan(seed, sessions), parts)
  })
}
