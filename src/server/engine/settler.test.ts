import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { money } from '#core/money/money.ts'
import { type Direction, readDirection } from '#core/orders/order.ts'
import { type Instant, instant, later } from '#core/time/instant.ts'
import type { SettledOrder } from '#server/announcements.ts'
import { createEngine, type EngineOptions, type RunningEngine } from '#server/engine/create-engine.ts'
import { createEngineStore, type EngineStore } from '#server/engine/engine-store.ts'
import type { Committed } from '#server/engine/committed.ts'
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
async function boot(change: Partial<EngineOptions> = {}) {
  feed = new ScriptedFeed([BTC])
  ticks = createTicks({ ctx, feed, symbols: [BTC] })
  await ticks.start()
  engine = newEngine(change)
  await engine.start()
}

function newEngine(change: Partial<EngineOptions> = {}): RunningEngine {
  const catalogue = fixedCatalogue({ symbols: [BTC] })
  return createEngine({ ctx, ticks, catalogue, connections: database.connections, ...change })
}

/** Starts anew, with something between the settler and its store. */
async function bootOn(between: (store: EngineStore) => Partial<EngineStore>, change: Partial<EngineOptions> = {}) {
  await shutDown()
  const store = createEngineStore(ctx)
  await boot({ store: { ...store, ...between(store) }, ...change })
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

async function order(direction: number, stake = 10_000n, of: RunningEngine = engine): Promise<AcceptedOrder> {
  const answer = await of.place({
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
/** Orders that have won, as far as the prices go. */
async function win(count: number, take = () => order(1, 1_000n)): Promise<AcceptedOrder[]> {
  await priceAt(100, ctx.now())
  const taken: AcceptedOrder[] = []
  for (let at = 0; at < count; at += 1) taken.push(await take())
  await pass(taken)
  return taken
}
/** The expiry, with a price at it and one after it. */
async function pass(taken: readonly AcceptedOrder[]) {
  toExpiry(taken.at(-1) ?? fail())
  await priceAt(101, ctx.now())
  ctx.clock.advance(20)
  await priceAt(101, ctx.now())
}
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
    const second = newEngine()
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
    engine = newEngine()
    await engine.start()
    expect(engine.takesOrders()).toBe(false)
    const report = await checkLedger(ctx.db)
    expect(report).toMatchObject({ clean: false, sumOfAll: 5_000n })
    expect(report.mismatches).toEqual([{ userId: user, what: 'cash', cached: 95_000n, counted: 90_000n }])
    await expect(order(1)).rejects.toThrow('trading_paused')
    await pass([taken])
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
  await pass([taken])
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
    let isFirst = true
    await bootOn((store) => ({
      settleBatch(orders, now) {
        if (!isFirst) return store.settleBatch(orders, now)
        isFirst = false
        return breaking(() => store.settleBatch(orders, now))
      },
    }))
    const [taken] = await win(1)
    await engine.settleDue()
    return taken
  }

  it('when it was carried out', async () => {
    const taken = await winOn(async (settle) => {
      await settle()
      throw new Error('Connection terminated unexpectedly')
    })
    await settled(1)
    expect(results()[0]).toMatchObject({ orderId: taken?.orderId, result: 1, balanceAfter: 100_800n })
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
    expect(results()[0]).toMatchObject({ orderId: taken?.orderId, result: 1 })
    expect((await checkLedger(ctx.db)).clean).toBe(true)
  })
})

describe('a settlement that could not be looked up', () => {
  it('is looked up again', async () => {
    let fails = 2
    await bootOn((store) => ({
      async settleBatch(orders, now) {
        const done = await store.settleBatch(orders, now)
        if (done.length > 0) throw new Error('Connection terminated unexpectedly')
        return done
      },
      findSettled(keys) {
        fails -= 1
        return fails >= 0 ? Promise.reject(new Error('gone')) : store.findSettled(keys)
      },
    }))
    await win(1)
    await settled(1)
    expect(fails).toBeLessThan(0)
  })
})

describe('round by round', () => {
  it('settles by itself as prices come', async () => {
    await win(1)
    await vi.waitFor(() => expect(results()).toHaveLength(1), { interval: 5, timeout: 10_000 })
  })

  it('gives the stake back by itself when none comes', async () => {
    await priceAt(100, ctx.now())
    toExpiry(await order(1), 60_001)
    await vi.waitFor(
      () => {
        ctx.clock.advance(250)
        expect(results()).toMatchObject([{ voidReason: 'no_price_after_expiry' }])
      },
      { interval: 5, timeout: 10_000 },
    )
  })

  it('knows how many expiries are coming', async () => {
    await priceAt(100, ctx.now())
    const both = [await order(1, 1_000n), await order(1, 1_000n)]
    expect(engine.load().expected).toBe(1)
    ctx.clock.advance(10)
    both.push(await order(1, 1_000n))
    expect(engine.load().expected).toBe(2)
    await pass(both)
    await settled(3)
    expect(engine.load().expected).toBe(0)
  })

  describe('in batches of two', () => {
    let calls: { loaded: number; settled: number[]; lookedUp: number }
    let told: Committed[]
    /** `answers` stands between the store and the settler. */
    async function bootInTwos(answers: EngineStore['settleBatch'] | null, change: Partial<EngineOptions> = {}) {
      calls = { loaded: 0, settled: [], lookedUp: 0 }
      told = []
      const watched = (store: EngineStore): Partial<EngineStore> => ({
        loadDueOrders(keys, limit) {
          calls.loaded += 1
          return store.loadDueOrders(keys, limit)
        },
        settleBatch(orders, now) {
          calls.settled.push(orders.length)
          return answers === null ? store.settleBatch(orders, now) : answers(orders, now)
        },
        findSettled(keys) {
          calls.lookedUp += 1
          return store.findSettled(keys)
        },
      })
      const onCommitted = (committed: Committed) => told.push(committed)
      await bootOn(watched, { limits: { largestBatch: 2 }, onCommitted, ...change })
    }

    it('reads until there are fewer than it asked for', async () => {
      await bootInTwos(null)
      await win(5)
      await settled(5)
      expect(calls).toEqual({ loaded: 3, settled: [2, 2, 1], lookedUp: 0 })
      expect(await balance()).toMatchObject({ open_orders: 0, staked: 0n })
    })

    it('goes on when another one was quicker with a whole batch, and tells nothing of it', async () => {
      const store = createEngineStore(ctx)
      await bootInTwos(async (orders, now) => {
        const done = await store.settleBatch(orders, now)
        return calls.settled.length === 1 ? [] : done
      })
      await win(4)
      await settled(2)
      expect(calls.settled).toEqual([2, 2])
      const results = told.filter(({ kind }) => kind === 'result')
      expect(results.map(({ orders }) => orders.length)).toEqual([2])
    })

    it('settles all of its own in one round where symbols are shared', async () => {
      await bootInTwos(null, { settles: { owns: () => true } })
      await win(4)
      await settled(4)
      expect(calls.settled).toEqual([2, 2])
    })

    it('gives up what the database refuses as not its own', async () => {
      await bootInTwos(() => Promise.resolve([]), { settles: { owns: () => true } })
      await win(4)
      await engine.settleDue()
      expect(calls).toEqual({ loaded: 1, settled: [2], lookedUp: 0 })
    })
  })

  it('begins anew at once for what became due meanwhile', async () => {
    let letGo: () => void = fail
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await bootOn((store) => ({
      async settleBatch(orders, now) {
        await held
        return store.settleBatch(orders, now)
      },
    }))
    await priceAt(100, ctx.now())
    const first = await order(1, 1_000n)
    ctx.clock.advance(100)
    const second = await order(1, 1_000n)
    toExpiry(first, 10)
    await priceAt(101, ctx.now())
    await pass([second])
    expect(results()).toEqual([])
    letGo()
    await vi.waitFor(() => expect(results()).toHaveLength(2), { interval: 5, timeout: 10_000 })
  })

  it('takes five hundred expiries at a time, and the rest right after them', async () => {
    const from = ctx.now()
    const keys = Array.from({ length: 501 }, (_, at) => ({ symbolId: BTC.id, expiresAt: later(from, 1 + at) }))
    const sizes: number[] = []
    await bootOn((store) => ({
      openExpiries: () => Promise.resolve(keys),
      writeSettlementPrices(rows, now) {
        sizes.push(rows.length)
        return store.writeSettlementPrices(rows, now)
      },
    }))
    await priceAt(100, ctx.now())
    ctx.clock.advance(1_000)
    await priceAt(101, ctx.now())
    await vi.waitFor(() => expect(sizes).toEqual([500, 1]), { interval: 5, timeout: 20_000 })
  })

  it('asks for all of the log before it says that there was no price', async () => {
    await shutDown()
    let caughtUp = 0
    feed = new ScriptedFeed([BTC])
    ticks = createTicks({ ctx, feed, symbols: [BTC] })
    await ticks.start()
    const log = ticks
    const behind: TickService = {
      ...log,
      caughtUp: () => {
        caughtUp += 1
        return Promise.resolve()
      },
      aroundInstant: (symbolId, time) =>
        caughtUp > 0 ? log.aroundInstant(symbolId, time) : Promise.resolve({ last: null, next: null }),
    }
    engine = newEngine({ ticks: behind })
    await engine.start()
    await win(1)
    await settled(1)
    expect(results()[0]).toMatchObject({ result: 1, voidReason: null })
    expect(caughtUp).toBe(1)
    await win(1)
    await settled(2)
    expect(caughtUp).toBe(1)
  })

  it('says when the overdue ones could not be looked up, and looks again', async () => {
    let fails = 0
    await bootOn((store) => ({
      openExpiries: (until) => (--fails >= 0 ? Promise.reject(new Error('gone')) : store.openExpiries(until)),
    }))
    fails = 1
    ctx.clock.advance(5_000)
    await vi.waitFor(() => expect(JSON.stringify(ctx.lines)).toContain('overdue orders could not be looked up'))
    ctx.clock.advance(5_000)
    await vi.waitFor(() => expect(fails).toBeLessThan(0))
  })

  it('finds an order that nobody told it of once it is overdue', async () => {
    const other = newEngine({ settles: false })
    await other.start()
    await win(1, () => order(1, 1_000n, other))
    await other.stop()
    await engine.settleDue()
    expect(engine.load().expected).toBe(0)
    expect(results()).toEqual([])
    ctx.clock.advance(5_000)
    await settled(1)
  })

  it('ends when it is stopped, and leaves no timer behind', async () => {
    const timers = ctx.clock.pendingTimers
    const other = newEngine()
    await other.start()
    await other.stop()
    expect(ctx.clock.pendingTimers).toBe(timers)
    await engine.stop()
    ctx.clock.advance(1_000)
    await other.settleDue()
    expect(other.load().expected).toBe(0)
  })

  it('settles nothing once it was stopped, whatever comes', async () => {
    await priceAt(100, ctx.now())
    const taken = await order(1)
    await engine.stop()
    await pass([taken])
    await engine.settleDue()
    ctx.clock.advance(6_000)
    await engine.settleDue()
    expect(results()).toEqual([])
    expect(await balance()).toMatchObject({ open_orders: 1 })
  })

  it('hands on the price that it wrote; one that was there before has to be read', async () => {
    const told: Committed[] = []
    let fails = 0
    await bootOn(
      (store) => ({
        settleBatch: (orders, now) =>
          (fails -= 1) >= 0 ? Promise.reject(new Error('gone')) : store.settleBatch(orders, now),
      }),
      { onCommitted: (committed) => told.push(committed) },
    )
    const prices = () =>
      told.flatMap((committed) => (committed.kind === 'result' ? committed.orders.map(({ price }) => price) : []))
    await win(1)
    await settled(1)
    expect(prices()).toMatchObject([{ symbolId: BTC.id, exit: { price: 101 }, voidReason: null }])
    fails = 1
    await win(1)
    await settled(2)
    expect(prices().slice(1)).toEqual([null])
  })

  it('believes a price of a symbol that is gone for five seconds', async () => {
    await shutDown()
    await boot({ catalogue: fixedCatalogue({ symbols: [BTC], tickAgeAt: () => null }) })
    for (const { age, reason } of [
      { age: 5_000, reason: null },
      { age: 5_001, reason: 'no_tick_before_expiry' },
    ]) {
      await priceAt(100, ctx.now())
      const taken = await order(1, 1_000n)
      toExpiry(taken, -age)
      await priceAt(101, ctx.now())
      toExpiry(taken, 20)
      await priceAt(102, ctx.now())
      await vi.waitFor(
        async () => {
          await engine.settleDue()
          expect(results().at(-1)).toMatchObject({ orderId: taken.orderId, voidReason: reason })
        },
        { interval: 5, timeout: 10_000 },
      )
    }
  })
})

describe('where several servers share the symbols', () => {
  let isOurs: boolean
  beforeEach(async () => {
    await shutDown()
    await boot({ settles: { owns: () => isOurs } })
  })

  it('what is of another is left alone, until it is taken over', async () => {
    isOurs = false
    await win(1)
    expect(engine.load().expected).toBe(0)
    await engine.settleDue()
    expect(results()).toEqual([])
    isOurs = true
    await engine.takeOver()
    await settled(1)
  })

  it('what has become of another is forgotten once it is overdue', async () => {
    isOurs = true
    await priceAt(100, ctx.now())
    const taken = await order(1)
    expect(engine.load().expected).toBe(1)
    isOurs = false
    await pass([taken])
    await engine.settleDue()
    expect(engine.load().expected).toBe(1)
    ctx.clock.advance(60_000)
    await engine.settleDue()
    expect(engine.load().expected).toBe(0)
    expect(results()).toEqual([])
  })
})

function fail(): never {
  throw new Error('nothing there')
}
