import type { ChartInterval } from '#core/time/chart-interval.ts'
import { createStore } from '#ui/state/store.ts'

interface ChartMoment {
  readonly symbol: string
  readonly interval: ChartInterval
  /** In milliseconds UTC. */
  readonly time: number
}

/** The time that the candle chart of a symbol shows next; null for none. */
export const chartMoment = createStore<ChartMoment | null>(null)
