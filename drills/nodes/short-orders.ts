import type { Db } from '#server/platform/database/tables.ts'
import { setDuration } from '#test/support/force-terms.ts'
import { listsOf } from './read-cluster.ts'
import { until } from './until.ts'

/** Durations of the first two settings in seconds. Short, so that orders expire during an outage. */
const SECONDS = [2, 3]

export async function shortenOrders(db: Db): Promise<void> {
  for (const [at, seconds] of SECONDS.entries()) await setDuration(db, at + 1, seconds)
}

/** Waits until every server that accepts orders knows the short durations. */
export async function allKnowTheShortOrders(addresses: readonly string[]): Promise<void> {
  const ends = `"id":1,"time":${SECONDS[0]},`
  await until(async () => (await listsOf(addresses)).every((list) => list.includes(ends)))
}
