import type { Driver } from './start-driver.ts'

/** Duration of the orders in seconds: longer than the measurement, so that none expires in it. */
export const LONG_SECONDS = 7_000
export const CLIENTS = 200
/** 24,000: enough accounts for the orders of a minute on a fast machine, with at most 100 open orders each. */
export const MANY_USERS = 24_000
/** 12 s: right after a start, prices arrive late, orders wait for them, and code is not compiled yet. */
export const START_WARM_MS = 12_000
const MEASURE_MS = 4_000

/**
 * Measures the server's maximum rate on this machine: each client places its next order after the reply to
 * the previous order.
 */
export async function measureMaxRate(driver: Driver): Promise<number> {
  const { perSecond } = await driver.run({ clients: CLIENTS, warmMs: START_WARM_MS, ms: MEASURE_MS })
  return perSecond
}
