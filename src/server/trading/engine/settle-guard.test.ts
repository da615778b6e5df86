import { beforeEach, describe, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { price, volume } from '#core/money/price.ts'
import { instant, later } from '#core/time/instant.ts'
import { settleOrder } from '#core/orders/rules/rules.ts'
import type { PriceRow } from '#server/trading/engine/due-order.ts'
import { loadDueOrders } from '#server/trading/engine/due-orders.queries.ts'
import type { SettleGuard } from '#server/trading/engine/held-shards.queries.ts'
import { settleBatch } from '#server/trading/engine/settle.queries.ts'
import { writeSettlementPrices } from '#server/trading/engine/settlement-prices.queries.ts'
import { createEngine } from '#server/trading/engine/create-engine.ts'
import { checkLedger } from '#server/ledger/reconciliation/check-ledger.ts'
import { createTicks } from '#server/market-data/ticks/tick-service.ts'
import { BTC, createFundedUser, fixedCatalogue } from '#test/support/market-fixtures.ts'
import { orderRequest } from '#test/support/order-request.ts'
import { ScriptedFeed } from '#test/support/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#test/support/test-context.ts'
import { useTestDatabase } from '#test/support/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
beforeEach(async () => {
  ctx = createTestContext(database.db)
})

const SHARES = 8
const SHARE = BTC.id % SHARES

async function setLease(name: string, token: bigint): Promise<void> {
  const row = { name, owner: 'somebody', token, until_ms: 0 }
  await ctx.db
    .insertInto('lease')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
    .execute()
}
const guard = (token: bigint, share = SHARE): SettleGuard => ({
  shards: SHARES,
  held: [{ lease: `settle/${share}`, token, shard: share }],
})
const tick = (seq: number, time: number) => ({
  symbolId: BTC.id,
  seq,
  price: price(100_00),
  volume: volume(0),
  time: instant(time),
  receivedAt: instant(time),
  source: 'test',
})
const expiresAt = later(TEST_START, 60_000)
const row = (change: Partial<PriceRow> = {}): PriceRow => ({
  symbolId: BTC.id,
  expiresAt,
  exit: tick(1, expiresAt - 10),
  next: tick(2, expiresAt + 10),
  watermark: later(expiresAt, 10),
  voidReason: null,
  maxTickAgeMs: 5_000,
  head: { lastSeq: 2, hash: new Uint8Array(32) },
  writerToken: 1n,
  ...change,
})
const prices = () => ctx.db.selectFrom('settlement_price').selectAll().execute()

/** Creates a user and an order, and stops the server that accepted the order. Returns the order. */
async function openOrder() {
  const userId = await createFundedUser(ctx, money(100_000n))
  const feed = new ScriptedFeed([BTC])
  const ticks = createTicks({ ctx, feed, symbols: [BTC], flushMs: 1 })
  await ticks.start()
  const engine = createEngine({ ctx, ticks, catalogue: fixedCatalogue({ symbols: [BTC] }), connections: 1 })
  await engine.start()
  feed.tick(BTC.id, 100_00, ctx.now())
  await ticks.stop()
  const answer = await engine.place(orderRequest(userId, 'one'))
  await engine.stop()
  if (!answer.ok) throw new Error(answer.refusal)
  return answer.value
}

describe('AT14: a settler where several nodes share the settling', () => {
  beforeEach(async () => {
    await setLease(`settle/${SHARE}`, 5n)
    await setLease('ticks', 1n)
  })

  it('writes a price only while it holds the lease of the shard', async () => {
    await writeSettlementPrices(ctx.db, [row()], ctx.now(), guard(4n))
    await writeSettlementPrices(ctx.db, [row()], ctx.now(), { shards: SHARES, held: [] })
    await setLease(`settle/${SHARE + 1}`, 5n)
    await writeSettlementPrices(ctx.db, [row()], ctx.now(), guard(5n, SHARE + 1))
    expect(await prices()).toEqual([])
    await writeSettlementPrices(ctx.db, [row()], ctx.now(), guard(5n))
    expect(await prices()).toMatchObject([{ exit_seq: 1n, next_seq: 2n, head_seq: 2n, void_reason: null }])
    // The first price that was written stays.
    await writeSettlementPrices(ctx.db, [row({ exit: tick(7, expiresAt) })], ctx.now(), guard(5n))
    expect(await prices()).toMatchObject([{ exit_seq: 1n }])
  })

  it('credits a balance only while it holds the lease of the shard, and only once', async () => {
    const order = await openOrder()
    await writeSettlementPrices(ctx.db, [row({ expiresAt: order.expiresAt })], ctx.now(), guard(5n))
    const due = await loadDueOrders(ctx.db, [{ symbolId: BTC.id, expiresAt: order.expiresAt }], 10)
    const rows = due.map(({ userId, orderId, facts, price: exit }) => ({
      userId,
      orderId,
      settled: settleOrder(facts, exit),
    }))
    expect(rows).toHaveLength(1)
    expect(await settleBatch(ctx.db, rows, ctx.now(), guard(4n))).toEqual([])
    expect(await settleBatch(ctx.db, rows, ctx.now(), guard(5n, SHARE + 1))).toEqual([])
    expect(await settleBatch(ctx.db, rows, ctx.now(), guard(5n))).toMatchObject([{ orderId: order.orderId }])
    expect(await settleBatch(ctx.db, rows, ctx.now(), guard(5n))).toEqual([])
    expect(await checkLedger(ctx.db)).toMatchObject({ clean: true })
  })

  it('writes a price that only a heartbeat proves only if the heartbeat came from the node that writes the tick log', async () => {
    const byHeartbeat = row({ next: null })
    await setLease('ticks', 2n)
    await writeSettlementPrices(ctx.db, [byHeartbeat], ctx.now(), guard(5n))
    expect(await prices()).toEqual([])
    await writeSettlementPrices(ctx.db, [{ ...byHeartbeat, writerToken: 2n }], ctx.now(), guard(5n))
    expect(await prices()).toHaveLength(1)
  })

  it('makes an expiry void for lack of a price only after reading the whole tick log', async () => {
    const given = row({ exit: null, next: null, voidReason: 'no_price_after_expiry' })
    await ctx.db
      .insertInto('tick_batch')
      .values({
        first_seq: 3,
        last_seq: 3,
        first_time_ms: expiresAt,
        last_time_ms: expiresAt,
        written_ms: expiresAt,
        payload: '',
        previous_hash: new Uint8Array(32),
        hash: new Uint8Array(32),
      })
      .execute()
    await writeSettlementPrices(ctx.db, [given], ctx.now(), guard(5n))
    expect(await prices()).toEqual([])
    await writeSettlementPrices(ctx.db, [{ ...given, head: { ...given.head, lastSeq: 3 } }], ctx.now(), guard(5n))
    expect(await prices()).toMatchObject([{ void_reason: 'no_price_after_expiry' }])
  })
})
