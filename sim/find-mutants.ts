import type { PlayIn } from './workers.ts'

/** The first seed that finds a planted bug, and the auditor's report. */
export interface Found {
  readonly seed: number
  readonly violation: string
}

/** Tries seeds until one finds the bug; null when none does. */
export async function findMutant(
  play: PlayIn,
  mutant: string,
  { seeds, minutes }: { readonly seeds: Iterable<number>; readonly minutes: number },
): Promise<Found | null> {
  return await findSeed(seeds, (seed) => play({ seed, minutes, mutant }))
}

/** Plays seeds until the auditor reports something; null when it reports nothing. */
export async function findSeed(
  seeds: Iterable<number>,
  play: (seed: number) => Promise<{ readonly violations: readonly string[] }>,
): Promise<Found | null> {
  for (const seed of seeds) {
    const { violations } = await play(seed)
    const [violation] = violations
    if (violation !== undefined) return { seed, violation }
  }
  return null
}
