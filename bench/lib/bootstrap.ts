import { median } from './median.ts'

const SAMPLES = 2_000
const SEED = 0x2545f491

/** Returns the 95 % confidence interval of the median, by bootstrap resampling. */
export function bootstrap(values: readonly number[]): readonly [low: number, high: number] {
  const draw = xorshift(SEED)
  const medians = Array.from({ length: SAMPLES }, () =>
    median(values.map(() => values[draw() % values.length] ?? Number.NaN)),
  ).toSorted((a, b) => a - b)
  const at = (part: number) => medians[Math.floor(part * SAMPLES)] ?? Number.NaN
  return [at(0.025), at(0.975)]
}

/** A seeded generator, so that the same figures give the same interval. */
function xorshift(seed: number): () => number {
  let state = seed
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 0
  }
}
