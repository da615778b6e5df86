import fc from 'fast-check'

/** The seed that every random plan starts from: a test says the same each time. `npm run fuzz` gives others. */
const FIXED_SEED = 20_240_808
/** A seed that `npm run fuzz` has drawn, or repeats. */
const GIVEN_SEED = process.env['RANDOM_SEED']
const SEED = Number(GIVEN_SEED ?? FIXED_SEED)
/** 1, unless `npm run fuzz -- --times` asks for more runs of plans that are small because each run is slow. */
const TIMES = Number(process.env['RANDOM_TIMES'] ?? 1)
/**
 * 29 minutes, less than the limit in `vitest.config.ts`: a plan that hangs, or that fails and takes long to shrink, still
 * prints its seed and the smallest example so far.
 */
const HANGS_AFTER_MS = 1_740_000 * TIMES

/** Fixes the seed of fast-check and of `Math.random` for one test file. */
export function fixRandomPlans(): void {
  fc.configureGlobal({ seed: SEED, interruptAfterTimeLimit: HANGS_AFTER_MS, markInterruptAsFailure: true })
  Math.random = createRandom(SEED)
}

/** Tells whether plans are those of `npm test`: only of them is it known which cases they reach. */
export function arePlansFixed(): boolean {
  return GIVEN_SEED === undefined
}

/** Answers the number of runs of a plan: `count` in `npm test`, a multiple when `npm run fuzz` is told to. */
export function runs(count: number): number {
  return count * TIMES
}

/** Answers the first seed of a row of numbered plans: `fixed` in `npm test`. */
export function firstSeed(fixed: number): number {
  return arePlansFixed() ? fixed : SEED
}

/** The generator mulberry32: numbers from 0 up to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
