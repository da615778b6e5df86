import { simulate } from '../simulate.ts'
import { drawPlan } from '../world/plan.ts'
import { type Mutant, plant } from './mutants.ts'

/** The first seed that finds a planted bug, and what the auditor said of it. */
export interface Found {
  readonly seed: number
  readonly violation: string
}

/** Looks through seeds until one finds the bug; null when none of them does. */
export async function findMutant(mutant: Mutant, seeds: Iterable<number>, minutes: number): Promise<Found | null> {
  for (const seed of seeds) {
    const { violations } = await simulate(drawPlan(seed, minutes), { parts: plant(mutant) })
    const [violation] = violations
    if (violation !== undefined) return { seed, violation }
  }
  return null
}
