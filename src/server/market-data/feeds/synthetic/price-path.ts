import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { noiseBell, noiseKey } from '#server/market-data/feeds/synthetic/noise.ts'
import type { Pace } from '#server/market-data/feeds/synthetic/pace.ts'

const YEAR_MS = 365.25 * DAY_MS
/**
 * Lattice `n` has a spacing of 2^n minutes: from about a year (19) down to about a second (-6). Each whole minute is a
 * point of every lattice from 0 down.
 */
const COARSEST = 19
const FINEST = -6
/** Up to one hour, the time of day affects the movement. Over longer ranges it averages out. */
const SHAPED_BY_DAY_MS = HOUR_MS

/** One lattice with its current segment: both ends, and the middle that the next finer lattice adds. */
interface Lattice {
  readonly spacingMs: number
  readonly coarser: Lattice | null
  readonly key: number
  readonly scale: number
  index: number
  left: number
  middle: number
  right: number
}

/**
 * The logarithm of a simulated price divided by its centre, as a pure function of seed and time (Lévy's construction of Brownian motion).
 * Points a year apart are independent. Each middle is the mean of its neighbours plus a sample whose deviation shrinks with the square root
 * of the distance.
 *
 * So any moment costs at most one sample per lattice, and consecutive moments share nearly all samples. The yearly points lie around the
 * centre, so prices never drift away. The samples are scaled by the market's pace, which gives the fat tails and clusters of real returns.
 */
export interface PricePath {
  /** The value at any moment, in milliseconds. */
  at(ms: number): number
  /** Calls `visit` for the eight values 7.5 s apart of the minute that begins at `ms`. */
  sampleMinute(ms: number, visit: (value: number) => void): void
}

export function createPricePath(seed: string, annualVolatility: number, pace: Pace): PricePath {
  let lattice: Lattice | null = null
  let quarterMinute: Lattice | null = null
  for (let level = COARSEST; level >= FINEST; level -= 1) {
    lattice = createLattice(`${seed}/price/${level}`, MINUTE_MS * 2 ** level, annualVolatility, lattice)
    if (level === -2) quarterMinute = lattice
  }
  if (lattice === null || quarterMinute === null) throw new Error('a price path needs its lattices')
  const finest = lattice
  const quarter = quarterMinute

  return {
    at(ms) {
      seek(finest, ms, pace)
      const within = (ms / finest.spacingMs - finest.index) * 2
      return within < 1
        ? finest.left + (finest.middle - finest.left) * within
        : finest.middle + (finest.right - finest.middle) * (within - 1)
    },
    sampleMinute(ms, visit) {
      for (let from = ms; from < ms + MINUTE_MS; from += quarter.spacingMs) {
        seek(quarter, from, pace)
        visit(quarter.left)
        visit(quarter.middle)
      }
    },
  }
}

function createLattice(name: string, spacingMs: number, annualVolatility: number, coarser: Lattice | null): Lattice {
  // The middle, given both ends, has a quarter of the variance of the time between them.
  const scale = annualVolatility * Math.sqrt(spacingMs / YEAR_MS / 4)
  return { spacingMs, coarser, key: noiseKey(name), scale, index: NaN, left: 0, middle: 0, right: 0 }
}

/** Moves a lattice to the segment that contains `ms`, and coarser lattices as needed. */
function seek(lattice: Lattice, ms: number, pace: Pace): void {
  const index = Math.floor(ms / lattice.spacingMs)
  if (index === lattice.index) return
  const { coarser, key, scale, spacingMs } = lattice
  if (coarser === null) {
    lattice.left = yearlyPoint(lattice, index)
    lattice.right = yearlyPoint(lattice, index + 1)
  } else {
    seek(coarser, ms, pace)
    const isFirstHalf = index === coarser.index * 2
    lattice.left = isFirstHalf ? coarser.left : coarser.middle
    lattice.right = isFirstHalf ? coarser.middle : coarser.right
  }
  const middleMs = (index + 0.5) * spacingMs
  const factor = spacingMs <= SHAPED_BY_DAY_MS ? pace.moment(middleMs) : pace.mood(middleMs)
  lattice.middle = (lattice.left + lattice.right) / 2 + scale * factor * noiseBell(key, index)
  lattice.index = index
}

/** Each yearly point has half the variance of a year, so that the step between two has all of it. */
function yearlyPoint({ key, scale }: Lattice, index: number): number {
  return scale * Math.SQRT2 * noiseBell(~key, index)
}
