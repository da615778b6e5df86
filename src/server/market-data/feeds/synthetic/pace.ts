import type { MarketType } from '#core/markets/market.ts'
import { unreachable } from '#core/result.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#core/time/instant.ts'
import { createSessionLookup } from '#server/market-data/feeds/base/session-lookup.ts'
import { noiseBell, noiseKey } from '#server/market-data/feeds/synthetic/noise.ts'

/** How volatile a simulated market is at a moment, as a factor on its average volatility. Changes every five minutes. */
export interface Pace {
  /** Calm and nervous spells, from hours to months long. Its square averages 1 over the years. */
  mood(ms: number): number
  /** The mood times the time of day. */
  moment(ms: number): number
}

// Overlapping spells of several lengths make volatility cluster at every scale, as in real markets.
const SPELLS: readonly (readonly [periodMs: number, strength: number])[] = [
  [2 * HOUR_MS, 0.25],
  [12 * HOUR_MS, 0.3],
  [4 * DAY_MS, 0.3],
  [30 * DAY_MS, 0.3],
]

const STEP_MS = 5 * MINUTE_MS

export function createPace(seed: string, marketType: MarketType): Pace {
  const spells = SPELLS.map(([periodMs, strength]) => createSpell(`${seed}/mood/${periodMs}`, periodMs, strength))
  // Between two independent points the interpolated variance averages two thirds of theirs; E[exp(2x)] = exp(2 var).
  const variance = SPELLS.reduce((sum, [, strength]) => sum + (2 / 3) * strength ** 2, 0)
  const timeOfDay = createTimeOfDay(marketType)

  const mood = inSteps((ms) => Math.exp(sumOf(spells, ms) - variance))
  const moment = inSteps((ms) => mood(ms) * timeOfDay(ms))
  return { mood, moment }
}

function sumOf(parts: readonly ((ms: number) => number)[], ms: number): number {
  let sum = 0
  for (const part of parts) sum += part(ms)
  return sum
}

/** Caches a value for five minutes, from the opening bell on: every price reads this slowly changing value. */
function inSteps(compute: (ms: number) => number): (ms: number) => number {
  let known = NaN
  let value = 0
  return (ms) => {
    const step = Math.floor(ms / STEP_MS)
    if (step !== known) {
      value = compute(step * STEP_MS)
      known = step
    }
    return value
  }
}

/** Creates a curve of straight lines between random points that are `periodMs` apart. */
function createSpell(name: string, periodMs: number, strength: number): (ms: number) => number {
  const key = noiseKey(name)
  let known = NaN
  let left = 0
  let right = 0
  return (ms) => {
    const index = Math.floor(ms / periodMs)
    if (index !== known) {
      left = strength * noiseBell(key, index)
      right = strength * noiseBell(key, index + 1)
      known = index
    }
    return left + (right - left) * (ms / periodMs - index)
  }
}

// Factors by hour of the day in UTC: Asia quiet, London from 7, New York from 13, both together until 16.
const CRYPTO_DAY = [9, 9, 9, 8, 8, 8, 8, 9, 10, 10, 10, 10, 11, 13, 14, 14, 13, 12, 11, 11, 10, 10, 9, 9]
const FOREX_DAY = [7, 8, 7, 6, 6, 7, 9, 12, 13, 12, 11, 11, 13, 15, 16, 15, 13, 11, 9, 8, 7, 5, 5, 6]

function createTimeOfDay(marketType: MarketType): (ms: number) => number {
  switch (marketType) {
    case 'crypto':
      return hourly(CRYPTO_DAY)
    case 'us_fx':
      return hourly(FOREX_DAY)
    case 'us_stocks':
      return createStockDay()
    default:
      return unreachable(marketType)
  }
}

function hourly(curve: readonly number[]): (ms: number) => number {
  const meanSquare = curve.reduce((sum, factor) => sum + factor ** 2, 0) / curve.length
  const factors = curve.map((factor) => factor / Math.sqrt(meanSquare))
  return (ms) => factors[Math.floor(ms / HOUR_MS) % curve.length] ?? 1
}

/** Busy after the opening bell and before the close. A year's movement has to fit into the trading hours. */
function createStockDay(): (ms: number) => number {
  const sessionFor = createSessionLookup('us_stocks')
  return (ms) => {
    const { open, close } = sessionFor(ms)
    if (ms < open) return 0.55
    return 1.8 * (1 + 0.9 * Math.exp((open - ms) / (30 * MINUTE_MS)) + 0.4 * Math.exp((ms - close) / (30 * MINUTE_MS)))
  }
}
