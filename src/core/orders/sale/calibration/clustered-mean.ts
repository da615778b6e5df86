import { MINUTE_MS } from '#core/time/instant.ts'

/** A mean with its standard error. */
export interface Estimate {
  readonly count: number
  readonly mean: number
  readonly error: number
}

export interface Observation {
  readonly timeMs: number
  readonly value: number
}

/** 30 minutes: orders of the same half hour depend on the same prices, so they count as one observation. */
const CLUSTER_MS = 30 * MINUTE_MS

/**
 * Mean and its standard error, clustered by half hours: √(C ÷ (C − 1) × Σ (sum of the deviations of a cluster)²) ÷ n
 * for C clusters. With fewer than two clusters the error is infinite.
 */
export function clusteredMean(observations: readonly Observation[]): Estimate {
  const count = observations.length
  if (count === 0) return { count, mean: 0, error: Infinity }
  const mean = observations.reduce((sum, { value }) => sum + value, 0) / count
  const deviations = new Map<number, number>()
  for (const { timeMs, value } of observations) {
    const cluster = Math.floor(timeMs / CLUSTER_MS)
    deviations.set(cluster, (deviations.get(cluster) ?? 0) + value - mean)
  }
  const clusters = deviations.size
  if (clusters < 2) return { count, mean, error: Infinity }
  const squares = [...deviations.values()].reduce((sum, deviation) => sum + deviation * deviation, 0)
  return { count, mean, error: Math.sqrt((squares * clusters) / (clusters - 1)) / count }
}
