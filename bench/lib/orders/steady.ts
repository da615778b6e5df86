import type { Driver } from './start-driver.ts'

/** How long orders run: nothing ends while it is measured. */
export const LONG_SECONDS = 7_000
export const CLIENTS = 200
/** As many accounts as the orders of a minute need on a fast machine: each may have a hundred open ones. */
export const MANY_USERS = 24_000
/** Right after a start prices come late, orders wait as long as they are late, and nothing is compiled yet. */
export const START_WARM_MS = 12_000
const MEASURE_MS = 4_000

/** What the server takes at most, now and here: each client gives its next order when the last one is answered. */
export async function mostPerSecond(driver: Driver): Promise<number> {
  const { perSecond } = await driver.run({ clients: CLIENTS, warmMs: START_WARM_MS, ms: MEASURE_MS })
  return perSecond
}
