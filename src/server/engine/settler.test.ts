import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { type Direction, readDirection } from '#core/orders/order.ts'
import { type Instant, instant } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/announcements.ts'
import { createEngine, type RunningEngine } from '#server/engine/create-engine.ts'
import { createEngineStore, type EngineStore } from '#server/engine/engine-store.ts'
import type { AcceptedOrder } from '#server/engine/engine.ts'
import { checkLedger } from '#server/ledger/check-ledger.ts'
import { createTicks, type TickService } from '#server/ticks/create-ticks.ts'
import { BTC, createFundedUser, fixedCatalogue, ONE_MINUTE } from '#testing/market-fixtures.ts'
import { ScriptedFeed } from '#testing/scripted-feed.ts'
import { createTestContext, TEST_START, type TestContext } from '#testing/test-context.ts'
import { useTestDatabase } from '#testing/use-test-database.ts'

const database = useTestDatabase()
let ctx: TestContext
let feed: ScriptedFeed
let ticks: TickService
let engine: RunningEngine
let user: string

beforeEach(async () => {
  ctx = createTestContext(database.db)
  user = await createFundedUser(ctx, money(100_000n))
  await boot()
})
afterEach(() => shutDown())

/** What a start of the server does with prices and orders, on the same clock and database. */
async function boot(store?: EngineStore) {
  feed = new ScriptedFeed([BTC])
  ticks = createTicks({ ctx, feed, symbols: [BTC] })
  await ticks.start()
  engine = createEngine({
    ctx,
    ticks,
    catalogue: fixedCatalogue({ symbols: [BTC] }),
    connections: database.connections,
    ...(store && { store }),
  })
  await engine.start()
}

async function shutDown() {
  await engine.stop()
  await ticks.stop()
}

/** Says a price at a moment and waits until the log has it. */
async function priceAt(units: number, time: Instant | number) {
  feed.tick(BTC.id, units, time)
  await flushed(() => ticks.latest(BTC.id)?.time === time && ticks.latest(BTC.id)?.price === units)
}

async function flushed(isThere: () => boolean) {
  await vi.waitFor(
    () => {
      ctx.clock.advance(1)
      expect(isThere()).toBe(true)
    },
    { interval: 2, timeout: 10_000 },
  )
}

async function order(direction: number, stake = 10_000n): Promise<AcceptedOrder> {
  const answer = await engine.place({
    userId: user,
    clientOrderId: ctx.newId(),
    direction: readDirection(direction),
    tradeSettingId: ONE_MINUTE.id,
    stake: money(stake),
    symbol: 'BTC',
    marketType: null,
    slippageGuard: null,
    receivedAt: TEST_START,
  })
  if (!answer.ok) throw new Error(`refused: ${answer.refusal}`)
  return answer.value
}

const results = (): SettledOrder[] =>
  ctx.announced.flatMap((announcement) => (announcement.kind === 'order-settled' ? [announcement.order] : []))
const settled = (count: number) =>
  vi.waitFor(
    async () => {
      await engine.settleDue()
      expect(results().length).toBe(count)
    },
    { interval: 5, timeout: 10_000 },
  )
const toExpiry = (taken: AcceptedOrder, offset = 0) => ctx.clock.advance(taken.expiresAt - ctx.now() + offset)
const balance = () => ctx.db.selectFrom('balance').selectAll().where('user_id', '=', user).executeTakeFirstOrThrow()

describe('an order whose time is up', () => {
  it.each<[Direction, number, number, bigint]>([
    [1, 101, 1, 8_000n],
    [1, 99, 2, -10_000n],
    [1, 100, 3, 0n],
    [2, 101, 2, -10_000n],
    [2, 99, 1, 8_000n],
    [2, 100, 3, 0n],
  ])(
    'direction %s from 100 to %s is result %s and changes the money by %s',
    async (direction, exit, result, change) => {
      await priceAt(100, ctx.now())
      const taken = await order(direction)
      toExpiry(taken, -50)
      await priceAt(exit, taken.expiresAt)
      await engine.settleDue()
      expect(results()).toEqual([])
      toExpiry(taken, 10)
      await priceAt(777, taken.expiresAt + 1)
      await settled(1)
      expect(results()[0]).toMatchObject({
        orderId: taken.orderId,
        result,
        resultAmount: change,
        exitPrice: exit,
        balanceAfter: 100_000n + change,
        voidReason: null,
      })
      expect(await balance()).toMatchObject({ cash: 100_000n + change, staked: 0n, open_orders: 0 })
      expect(await ctx.db.selectFrom('settlement_price').selectAll().executeTakeFirst()).toMatchObject({
        exit_price: BigInt(exit),
        next_price: 777n,
      })
      expect(await ctx.db.selectFrom('order_history').select(['received_ms', 'opened_ms']).execute()).toEqual([
        { received_ms: BigInt(TEST_START), opened_ms: BigInt(taken.openedAt) },
      ])
      expect((await checkLedger(ctx.db)).clean).toBe(true)
    },
  )

  it('takes the last of several ticks inside the millisecond of the expiry', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    toExpiry(taken)
    for (const units of [95, 105, 102]) feed.tick(BTC.id, units, taken.expiresAt)
    await flushed(() => ticks.latest(BTC.id)?.price === 102)
    ctx.clock.advance(5)
    await priceAt(90, taken.expiresAt + 1)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 102 })
  })

  it('ignores a tick that runs back in source time', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    toExpiry(taken)
    await priceAt(101, taken.expiresAt - 10)
    feed.tick(BTC.id, 90, taken.expiresAt - 11)
    ctx.clock.advance(200)
    await priceAt(80, taken.expiresAt + 150)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 101 })
  })

  it('settles on a heartbeat when no later tick comes', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(2)
    toExpiry(taken, -1_000)
    await priceAt(99, ctx.now())
    toExpiry(taken, 500)
    feed.heartbeat(BTC.id, taken.expiresAt + 1)
    await flushed(() => (ticks.watermark(BTC.id) ?? 0) > taken.expiresAt)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 99 })
  })
})

describe('a void order gives the stake back', () => {
  it('when the last tick before the expiry is too old', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    toExpiry(taken, 200)
    await priceAt(150, ctx.now())
    await settled(1)
    expect(results()[0]).toMatchObject({
      result: 3,
      resultAmount: 0n,
      exitPrice: null,
      voidReason: 'no_tick_before_expiry',
    })
    expect(await balance()).toMatchObject({ cash: 100_000n, staked: 0n, open_orders: 0 })
  })

  it('when the stream does not pass the expiry within a minute', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    toExpiry(taken, -100)
    await priceAt(150, ctx.now())
    toExpiry(taken, 60_000)
    await engine.settleDue()
    expect(results()).toEqual([])
    ctx.clock.advance(2)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 3, voidReason: 'no_price_after_expiry' })
    expect((await checkLedger(ctx.db)).clean).toBe(true)
  })
})

describe('exactly once', () => {
  it('with two settlers on the same orders, each is paid once', async () => {
    await priceAt(100, ctx.now())
    const orders: AcceptedOrder[] = []
    for (let at = 0; at < 9; at += 1) orders.push(await order(1, 1_000n))
    const second = createEngine({
      ctx,
      ticks,
      catalogue: fixedCatalogue({ symbols: [BTC] }),
      connections: database.connections,
    })
    await second.start()
    const last = orders.at(-1)
    if (last === undefined) throw new Error('no orders')
    toExpiry(last)
    await priceAt(101, ctx.now())
    ctx.clock.advance(50)
    await priceAt(102, ctx.now())
    await Promise.all([engine.settleDue(), second.settleDue()])
    await settled(9)
    expect(new Set(results().map((result) => result.orderId)).size).toBe(9)
    expect(await balance()).toMatchObject({ cash: 100_000n + 9n * 800n, staked: 0n })
    expect((await ctx.db.selectFrom('result_delivery').selectAll().execute()).length).toBe(9)
    await second.stop()
  })

  it('tells each result with the balance after it', async () => {
    await priceAt(100, ctx.now())
    const stakes = [1_000n, 2_000n, 3_000n]
    const orders: AcceptedOrder[] = []
    for (const stake of stakes) orders.push(await order(1, stake))
    toExpiry(orders.at(-1) ?? fail())
    await priceAt(101, ctx.now())
    ctx.clock.advance(50)
    await priceAt(100, ctx.now())
    await settled(3)
    const final = await balance()
    expect(final.cash).toBe(100_000n + 4_800n)
    expect(results().at(-1)?.balanceAfter).toBe(final.cash)
  })
})

describe('after a restart', () => {
  it('an order that expired meanwhile is settled from the log when prices prove it', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    toExpiry(taken, -20)
    await priceAt(103, ctx.now())
    await shutDown()
    toExpiry(taken, 30_000)
    await boot()
    expect(results()).toEqual([])
    await priceAt(50, ctx.now())
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 103 })
  })

  it('an order whose price was missed is void', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    await shutDown()
    toExpiry(taken, 61_000)
    await boot()
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 3, voidReason: 'no_price_after_expiry' })
    expect(await balance()).toMatchObject({ cash: 100_000n, staked: 0n, open_orders: 0 })
  })

  it('an order that still runs goes on', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(2)
    await shutDown()
    await boot()
    toExpiry(taken)
    await priceAt(98, ctx.now())
    ctx.clock.advance(20)
    await priceAt(120, ctx.now())
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, exitPrice: 98 })
  })
})

describe('a ledger that does not add up', () => {
  it('stops new orders until it does, while open ones still settle', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    await ctx.db.updateTable('balance').set({ cash: 95_000n }).where('user_id', '=', user).execute()
    await engine.stop()
    engine = createEngine({
      ctx,
      ticks,
      catalogue: fixedCatalogue({ symbols: [BTC] }),
      connections: database.connections,
    })
    await engine.start()
    expect(engine.takesOrders()).toBe(false)
    const report = await checkLedger(ctx.db)
    expect(report).toMatchObject({ clean: false, sumOfAll: 5_000n })
    expect(report.mismatches).toEqual([{ userId: user, what: 'cash', cached: 95_000n, counted: 90_000n }])
    await expect(order(1)).rejects.toThrow('trading_paused')
    toExpiry(taken)
    await priceAt(101, ctx.now())
    ctx.clock.advance(20)
    await priceAt(101, ctx.now())
    await settled(1)
    await ctx.db
      .updateTable('balance')
      .set((eb) => ({ cash: eb('cash', '-', 5_000n) }))
      .where('user_id', '=', user)
      .execute()
    await vi.waitFor(
      () => {
        ctx.clock.advance(60_000)
        expect(engine.takesOrders()).toBe(true)
      },
      { interval: 20, timeout: 10_000 },
    )
  })
})

it('a database that fails while settling is tried again and loses nothing', async () => {
  await priceAt(100, instant(TEST_START + 1_000))
  const taken = await order(1)
  await database.asOwner((owner) => owner.schema.alterTable('order_history').renameTo('order_history_gone').execute())
  toExpiry(taken)
  await priceAt(101, ctx.now())
  ctx.clock.advance(20)
  await priceAt(101, ctx.now())
  await engine.settleDue()
  expect(results()).toEqual([])
  expect(await balance()).toMatchObject({ staked: 10_000n, open_orders: 1 })
  await database.asOwner((owner) => owner.schema.alterTable('order_history_gone').renameTo('order_history').execute())
  await settled(1)
  expect(results()[0]).toMatchObject({ result: 1 })
})

describe('a settlement whose answer is lost is told all the same, once', () => {
  /** An order that has won, on a store whose first `settleBatch` goes as `breaking` says. */
  async function winOn(breaking: (settle: () => Promise<SettledOrder[]>) => Promise<SettledOrder[]>) {
    await shutDown()
    const store = createEngineStore(ctx)
    let isFirst = true
    await boot({
      ...store,
      settleBatch(orders, now) {
        if (!isFirst) return store.settleBatch(orders, now)
        isFirst = false
        return breaking(() => store.settleBatch(orders, now))
      },
    })
    await priceAt(100, ctx.now())
    const taken = await order(1)
    toExpiry(taken)
    await priceAt(101, ctx.now())
    ctx.clock.advance(20)
    await priceAt(101, ctx.now())
    await engine.settleDue()
    return taken
  }

  it('when it was carried out', async () => {
    const taken = await winOn(async (settle) => {
      await settle()
      throw new Error('Connection terminated unexpectedly')
    })
    await settled(1)
    expect(results()[0]).toMatchObject({ orderId: taken.orderId, result: 1, balanceAfter: 108_000n })
    await engine.settleDue()
    expect(results()).toHaveLength(1)
  })

  it('when the database goes on with it after the connection is gone', async () => {
    let goOn: () => Promise<SettledOrder[]> = () => Promise.resolve([])
    const taken = await winOn((settle) => {
      goOn = settle
      return Promise.reject(new Error('Connection terminated unexpectedly'))
    })
    // What is due is tried again at the next beat, and finds the order gone.
    await goOn()
    await settled(1)
    expect(results()[0]).toMatchObject({ orderId: taken.orderId, result: 1 })
    expect((await checkLedger(ctx.db)).clean).toBe(true)
  })
})

function fail(): never {
  throw new Error('nothing there')
}
