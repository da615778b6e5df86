import fc from 'fast-check'

/** The seed of every random plan, so that tests repeat exactly. `npm run fuzz` sets others. */
const FIXED_SEED = 20_240_808
/** A seed that `npm run fuzz` sampled or repeats. */
const GIVEN_SEED = process.env['RANDOM_SEED']
const SEED = Number(GIVEN_SEED ?? FIXED_SEED)
/**
 * The factor for the number of runs, 1 by default. `npm run fuzz -- --times` raises it for plans with few runs, whose
 * runs are slow.
 */
const TIMES = Number(process.env['RANDOM_TIMES'] ?? 1)
/**
 * 29 minutes, less than the limit in `vitest.config.ts`. A plan that hangs or shrinks slowly still prints its seed and
 * smallest example.
 */
const HANGS_AFTER_MS = 1_740_000 * TIMES

/** Fixes the seeds of fast-check and of `Math.random` for one test file. */
export function fixRandomPlans(): void {
  fc.configureGlobal({ seed: SEED, interruptAfterTimeLimit: HANGS_AFTER_MS, markInterruptAsFailure: true })
  Math.random = createRandom(SEED)
}

/** Returns whether the plans are those of `npm test`. Only for these plans is it known which cases they reach. */
export function arePlansFixed(): boolean {
  return GIVEN_SEED === undefined
}

/** Returns the number of runs of a plan: `count` in `npm test`, a multiple in `npm run fuzz`. */
export function runs(count: number): number {
  return count * TIMES
}

/** Returns the first seed of a series of numbered plans: `fixed` in `npm test`. */
export function firstSeed(fixed: number): number {
  return arePlansFixed() ? fixed : SEED
}

/** Creates the generator mulberry32: numbers from 0 to below 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
