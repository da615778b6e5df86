import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Tick } from '#core/markets/tick.ts'
import { later } from '#core/time/instant.ts'
import { sql } from 'kysely'
import { loggedTicks } from '#server/market-data/tick-log/tick-batch.queries.ts'
import { TickRing } from '#server/market-data/ticks/tick-ring.ts'
import { textToTicks, ticksToText } from '#server/market-data/tick-log/tick-text.ts'
import { verifyTickChain } from '#server/market-data/tick-log/verify-chain.ts'
import { tickSteps, toTicks, writeTickLog } from '#test/support/tick-log.ts'
import { TEST_START } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase({ emptied: 'once' })

async function writeLog(all: Tick[][]): Promise<void> {
  await database.truncateAll()
  await writeTickLog(database.db, all)
}

it('finds the same ticks in memory and in the log, at every instant', async () => {
  await fc.assert(
    fc.asyncProperty(tickSteps, async (steps) => {
      const all = toTicks(steps)
      await writeLog(all)
      const own = all.flat().filter((tick) => tick.symbolId === 1)
      const ring = new TickRing()
      for (const tick of own) ring.push(tick)
      const [from, to] = [later(TEST_START, -1), later(TEST_START, 400_000_000)]
      const logged = await loggedTicks(database.db, TEST_START, to, 1)
      expect(logged.map((tick) => tick.seq)).toEqual(own.filter((tick) => tick.time <= to).map((tick) => tick.seq))
      for (const instantOfInterest of own.flatMap((tick) => [tick.time, later(tick.time, 1), later(tick.time, -1)])) {
        const near = ring.around(instantOfInterest)
        if (near.last === null) continue
        expect(near.last).toEqual(logged.findLast((tick) => tick.time <= instantOfInterest))
        expect(near.next).toEqual(logged.find((tick) => tick.time > instantOfInterest) ?? null)
        if (!ring.reaches(instantOfInterest)) continue
        expect(ring.between(instantOfInterest, to, 5)).toEqual(
          (await loggedTicks(database.db, instantOfInterest, to, 1)).slice(-5),
        )
      }
      expect(ring.reaches(from)).toBe(false)
    }),
    { numRuns: 25 },
  )
})

it("writes and parses the log's text without loss", () => {
  fc.assert(
    fc.property(tickSteps, (steps) => {
      const ticks = toTicks(steps).flat()
      expect(textToTicks(ticksToText(ticks))).toEqual(ticks)
      expect(textToTicks(ticksToText(ticks), 2)).toEqual(ticks.filter((tick) => tick.symbolId === 2))
    }),
  )
})

it.each([
  ['a changed price', sql`update tick_batch set payload = replace(payload, ' 9 ', ' 8 ') where first_seq = 3`],
  ['a removed batch', sql`delete from tick_batch where first_seq = 3`],
  ['a changed time range', sql`update tick_batch set last_time_ms = last_time_ms + 1 where first_seq = 3`],
])('reports a changed log: %s', async (_, change) => {
  const pair = [
    { symbolId: 1, wait: 1 },
    { symbolId: 2, wait: 2 },
  ]
  await writeLog(toTicks([pair, pair, pair]))
  expect(await verifyTickChain(database.db)).toMatchObject({ ok: true, batches: 3, lastSeq: 6 })
  await database.asOwner((owner) => change.execute(owner))
  expect(await verifyTickChain(database.db)).toMatchObject({ ok: false })
})
