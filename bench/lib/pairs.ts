import { cpus, loadavg } from 'node:os'
import { median } from './median.ts'

/**
 * The required result of a measurement. The measurement fails if the result is worse than the gate. The goal is the
 * published claim.
 */
export interface Aim {
  readonly gate: number
  readonly goal: number
  /** `least` (default): more is better. `most`: less is better. */
  readonly kind?: 'least' | 'most'
}

/** One of two alternatives measured side by side: a rate per second, or a duration. */
export type Measure = () => Promise<number>

/** Describes the machine and its load, for the first line of a measurement. */
export function machine(): string {
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? '?'}, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`
}

/**
 * Measures two alternatives `count` times and swaps their order each time, so that other load affects both equally.
 * Prints each value and returns the ratios of the pairs, first : second.
 */
export async function pairs(count: number, first: [string, Measure], second: [string, Measure]): Promise<number[]> {
  const firsts: number[] = []
  const seconds: number[] = []
  for (let pair = 0; pair < count; pair += 1) {
    const turns: [number[], Measure][] = [
      [firsts, first[1]],
      [seconds, second[1]],
    ]
    for (const [values, measure] of pair % 2 === 0 ? turns : turns.toReversed()) values.push(await measure())
  }
  for (const [[name], values] of [[first, firsts] as const, [second, seconds] as const])
    console.log(`${name.padEnd(44)} ${spread(values)}`)
  return firsts.map((value, pair) => value / (seconds[pair] ?? Number.NaN))
}

/**
 * Prints median, minimum and maximum, and the verdict. If the median is worse than the gate, the process will exit with
 * 1.
 */
export function verdict(name: string, values: readonly number[], aim: Aim): void {
  const middle = median(values)
  const isWithin = (bound: number): boolean => (aim.kind === 'most' ? middle <= bound : middle >= bound)
  const outcome = isWithin(aim.goal) ? 'goal reached' : isWithin(aim.gate) ? 'goal missed, gate passed' : 'GATE MISSED'
  if (!isWithin(aim.gate)) process.exitCode = 1
  console.log(`${name.padEnd(44)} ${spread(values)}   gate ${aim.gate}, goal ${aim.goal}: ${outcome}`)
}

/** Formats median, minimum and maximum. */
export function spread(values: readonly number[]): string {
  return [median(values), Math.min(...values), Math.max(...values)].map((value) => rounded(value).padStart(9)).join(' ')
}

function rounded(value: number): string {
  return value.toFixed(Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0)
}
