import { beforeEach, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { DAY_MS, HOUR_MS, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { acceptBatch } from '#server/trading/engine/accept.queries.ts'
import { EVIDENCE_WAITS } from '#server/trading/evidence/collect-evidence.ts'
import { EvidenceCollector } from '#server/trading/evidence/evidence-collector.ts'
import { BTC, createFundedUser, ONE_MINUTE } from '#test/support/market-fixtures.ts'
import { plannedOrder } from '#test/support/order-fixtures.ts'
import { createTestContext, type TestContext } from '#test/support/test-context.ts'
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

/** Starts a collector for which no source can be reached. */
const startCollector = () =>
  new EvidenceCollector({
    ctx,
    waits: EVIDENCE_WAITS.live,
    ticks: {
      isLeader: () => true,
      appendLate: () => Promise.resolve(true),
      record({ source }) {
        requested.push(source)
        return Promise.reject(new Error('unreachable'))
      },
    },
  })
/** Lets the collector work once a minute. */
async function runFor(collector: EvidenceCollector, ms: number): Promise<void> {
  for (const until = later(ctx.now(), ms); ctx.now() < until; ) {
    ctx.clock.jump(MINUTE_MS)
    await collector.round()
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
  await collector.round()
  ctx.clock.advance(SECOND_MS)
  await collector.round()
  expect(new Set(requested)).toEqual(new Set(['a', 'b']))
})

it('an order is not void by the first failed request, however late that request is', async () => {
  const collector = startCollector()
  await runFor(collector, 2 * HOUR_MS)
  await placeOrders('a', 1, -25 * HOUR_MS)
  await collector.round()
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
  await collector.round()
  expect(await outcomes()).toEqual([null])
  await runFor(collector, HOUR_MS - MINUTE_MS)
  expect(await outcomes()).toEqual([null])
  await runFor(collector, 6 * MINUTE_MS)
  expect(await outcomes()).toEqual(['unavailable'])
})
