/** The chart's intervals, shortest first. Bars start at multiples of the length since 1970 UTC. */
export const CHART_INTERVALS = ['1m', '5m', '30m', '1h', '1d'] as const
export type ChartInterval = (typeof CHART_INTERVALS)[number]

const LENGTH_MS: Record<ChartInterval, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
}

export function intervalMs(interval: ChartInterval): number {
  return LENGTH_MS[interval]
}

export function isChartInterval(text: string): text is ChartInterval {
  return Object.hasOwn(LENGTH_MS, text)
}
