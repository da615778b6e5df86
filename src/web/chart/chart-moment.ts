import { createStore } from '#ui/state/store.ts'

/** The time that the candle chart shows next, in milliseconds UTC; null for none. */
export const chartMoment = createStore<number | null>(null)
