import type { Db } from '#server/platform/database/tables.ts'
import { setDurations } from '../lib/set-durations.ts'
import { listsOf } from './read-cluster.ts'
import { until } from './until.ts'

/** Durations of the first two settings in seconds. Short, so that orders expire during an outage. */
const SECONDS = [2, 3]

export function shortenOrders(db: Db): Promise<void> {
  return setDurations(db, SECONDS)
}

/** Waits until every server that accepts orders knows the short durations. */
export async function allKnowTheShortOrders(addresses: readonly string[]): Promise<void> {
  const ends = `"id":1,"time":${SECONDS[0]},`
  await until(async () => (await listsOf(addresses)).every((list) => list.includes(ends)))
}
