import { beforeEach, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { EVIDENCE_WAITS } from '#server/trading/evidence/collect-evidence.ts'
import { EvidenceCollector, type EvidenceParts } from '#server/trading/evidence/evidence-collector.ts'
import { BTC, createFundedUser, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
import { writeTickLog } from '#test/support/tick-log.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
let requested: string[]
beforeEach(() => {
  ctx = createTestContext(database.db)
  requested = []
})

/** Places orders on entry prices of a source. Each order has an expiry of its own, a minute after `inMs`. */
async function placeOrders(source: string, count: number, inMs = 0): Promise<void> {
  const userId = await createFundedUser(ctx, money(1_000_000))
  const orders = Array.from({ length: count }, (_, at) => {
    const openedAt = later(ctx.now(), inMs + at)
    const planned = plannedOrder(ctx, userId)
    return {
      ...planned,
      placement: {
        ...planned.placement,
        entry: { ...planned.placement.entry, source, ref: 7 },
        openedAt,
        expiresAt: later(openedAt, MINUTE_MS),
      },
      group: { source, maxTickAgeMs: BTC.maxTickAgeMs, rule: ONE_MINUTE.rule, evidence: 'ids' as const },
    }
  })
  const rows = await acceptBatch(ctx.db, orders, count)
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(['accepted']))
}

type Record = EvidenceParts['ticks']['record']

/** Starts a collector for which no source can be reached, unless `record` says otherwise. */
const startCollector = (record: Record = () => Promise.reject(new Error('unreachable'))) =>
  new EvidenceCollector({
    ctx,
    waits: EVIDENCE_WAITS.live,
    ticks: {
      isLeader: () => true,
      appendLate: () => Promise.resolve(true),
      record(query) {
        requested.push(query.source)
        return record(query)
      },
    },
  })
/** A reply that does not come until it fails. */
function heldReply() {
  let fail: () => void = () => undefined
  const promise = new Promise<never>((_, reject) => {
    fail = () => reject(new Error('took too long'))
  })
  return { promise, fail: () => fail() }
}
async function roundOf(collector: EvidenceCollector): Promise<void> {
  await collector.round()
  await collector.idle()
}
/** Lets the collector work once a minute, or once in every step. */
async function runFor(collector: EvidenceCollector, ms: number, stepMs = MINUTE_MS): Promise<void> {
  for (const until = later(ctx.now(), ms); ctx.now() < until; ) {
    ctx.clock.jump(stepMs)
    await roundOf(collector)
  }
}
const outcomes = async () =>
  (await ctx.db.selectFrom('history_question').select('outcome').execute()).map(({ outcome }) => outcome)

it('an unreachable source with 2,000 undecided expiries delays no request to another source', async () => {
  await placeOrders('a', 2_000)
  ctx.clock.advance(10 * SECOND_MS)
  await placeOrders('b', 1)
  ctx.clock.advance(2 * MINUTE_MS)
  const collector = startCollector()
  await roundOf(collector)
  ctx.clock.advance(SECOND_MS)
  await roundOf(collector)
  expect(new Set(requested)).toEqual(new Set(['a', 'b']))
})

it('a source that does not answer delays no request to another source', async () => {
  await placeOrders('a', 3)
  ctx.clock.advance(10 * SECOND_MS)
  await placeOrders('b', 1)
  ctx.clock.advance(2 * MINUTE_MS)
  const noReply = heldReply()
  const collector = startCollector(({ source }) =>
    source === 'a' ? noReply.promise : Promise.reject(new Error('unreachable')),
  )
  // The sources are asked at the same time, so either can be first.
  const afterARound = async () => {
    await collector.round()
    return requested.toSorted()
  }
  await expect.poll(afterARound).toEqual(['a', 'b'])
  ctx.clock.advance(2 * SECOND_MS)
  // While the request to 'a' runs, there is no second one.
  await expect.poll(afterARound).toEqual(['a', 'b', 'b'])
  noReply.fail()
  await collector.stop()
})

it('a stop ends the requests to a source after the running one', async () => {
  await placeOrders('a', 2)
  await placeOrders('a', 1, 5 * MINUTE_MS)
  ctx.clock.advance(10 * MINUTE_MS)
  const reply = heldReply()
  const collector = startCollector(() => reply.promise)
  void collector.round()
  await expect.poll(() => requested).toEqual(['a'])
  const stopped = collector.stop()
  reply.fail()
  await stopped
  expect(requested).toEqual(['a'])
})

it('an order is not void by the first failed request, however late that request is', async () => {
  const collector = startCollector()
  await runFor(collector, 2 * HOUR_MS)
  await placeOrders('a', 1, -25 * HOUR_MS)
  await roundOf(collector)
  expect(await outcomes()).toEqual([null])
  await runFor(collector, HOUR_MS - MINUTE_MS)
  expect(await outcomes()).toEqual([null])
  await runFor(collector, 6 * MINUTE_MS)
  expect(await outcomes()).toEqual(['unavailable'])
})

it('after a pause of the machine, requests are repeated for an hour before an order is void', async () => {
  const collector = startCollector()
  await placeOrders('a', 1)
  await runFor(collector, 5 * MINUTE_MS)
  ctx.clock.jump(DAY_MS)
  await roundOf(collector)
  expect(await outcomes()).toEqual([null])
  await runFor(collector, HOUR_MS - MINUTE_MS)
  expect(await outcomes()).toEqual([null])
  await runFor(collector, 6 * MINUTE_MS)
  expect(await outcomes()).toEqual(['unavailable'])
})

it('a failed request does not hide that the source contradicts the log', async () => {
  const logged = { ref: 7, price: price(64_000_00), volume: volume(1), time: later(ctx.now(), 30 * SECOND_MS) }
  await placeOrders('a', 1)
  const tick = { ...logged, seq: 1, symbolId: BTC.id, receivedAt: logged.time, source: 'a' }
  await writeTickLog(ctx.db, [[tick]], 0)
  const startedAt = ctx.now()
  const record: Record = () => {
    const isDown = ctx.now() > later(startedAt, 11 * HOUR_MS) && ctx.now() < later(startedAt, 11.5 * HOUR_MS)
    if (isDown || ctx.now() > later(startedAt, DAY_MS)) return Promise.reject(new Error('took too long'))
    return Promise.resolve({
      prices: [{ ...logged, price: price(63_000_00) }],
      leftOut: [],
      isNewest: true,
      isSettled: true,
    })
  }
  const collector = startCollector(record)
  await runFor(collector, DAY_MS, 9 * MINUTE_MS)
  expect(await outcomes()).toEqual([null])
  await runFor(collector, 9 * MINUTE_MS, 9 * MINUTE_MS)
  expect(await outcomes()).toEqual(['contradicts'])
})
